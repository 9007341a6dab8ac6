"""What a person has done is looked up by the item, so no index leads to all of it.

The index goes by its name: Django would make the table anew on SQLite, without the triggers that guard the record.
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
