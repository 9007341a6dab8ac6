"""The figures of a project, as they were measured last."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0009_cases'),
        ('tasks', '0008_side_chat'),
    ]

    operations = [
        migrations.CreateModel(
            name='Figures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('values', models.JSONField()),
                ('measured_at', models.DateTimeField()),
                ('seconds', models.FloatField()),
                ('up_to', models.BigIntegerField()),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='figures', to='annotation.project')),
            ],
        ),
    ]
