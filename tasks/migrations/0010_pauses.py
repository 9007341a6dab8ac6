"""Pauses of shared work."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0009_cases'),
        ('tasks', '0009_figures'),
    ]

    operations = [
        migrations.CreateModel(
            name='Pause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('project', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pauses', to='annotation.project')),
            ],
            options={
                'indexes': [models.Index(fields=['ends_at'], name='pauses_by_end')],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gte', models.F('began_at'))), name='a_pause_ends_after_it_begins')],
            },
        ),
    ]
