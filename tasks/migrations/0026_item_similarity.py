from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):
    """The table and its constraint keep their names, so nothing is done in the database."""

    dependencies = [
        ('tasks', '0025_count_work_by_script'),
    ]

    operations = [
        migrations.AlterModelTable(name='likeness', table='tasks_likeness'),
        migrations.RenameModel(old_name='Likeness', new_name='ItemSimilarity'),
        migrations.AlterField(
            model_name='itemsimilarity',
            name='item',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='similarities', to='annotation.item'),
        ),
    ]
