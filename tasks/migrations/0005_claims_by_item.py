"""Drop the index on Assignment.annotator, so that the planner looks up a person's work by item.

By RunSQL, since Django would rebuild the table on SQLite.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0004_place'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(model_name='assignment', name='claims_of_a_person'),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    'DROP INDEX "tasks_assignment_annotator_id_773efb53"',
                    'CREATE INDEX "tasks_assignment_annotator_id_773efb53" ON "tasks_assignment" ("annotator_id")',
                ),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name='assignment',
                    name='annotator',
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name='assignments',
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
