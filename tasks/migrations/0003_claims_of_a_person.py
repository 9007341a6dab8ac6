from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0002_which_tab_counts'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(fields=['annotator', 'claimed_at'], name='claims_of_a_person'),
        ),
    ]
