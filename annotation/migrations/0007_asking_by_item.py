"""Drop the index on Annotation.author, so that the planner looks up a person's work by item; index Item.alike.

By RunSQL, since Django would rebuild the table on SQLite and lose its append-only triggers.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0006_fast_answers'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    'DROP INDEX "annotation_annotation_author_id_fb49e0ae"',
                    'CREATE INDEX "annotation_annotation_author_id_fb49e0ae" ON "annotation_annotation" ("author_id")',
                ),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name='annotation',
                    name='author',
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name='annotations',
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name='item',
            index=models.Index(fields=['project', 'alike'], name='items_that_ask_the_same'),
        ),
    ]
