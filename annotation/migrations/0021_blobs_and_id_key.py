"""Documents, layouts and the fingerprint of the id key; `post_migrate` copies those of earlier versions."""

from django.db import migrations, models


def keep_outside_of_rows(apps, schema_editor):
    """Blobs are compressed already: PostgreSQL would try again, in vain."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE annotation_blob ALTER COLUMN data SET STORAGE EXTERNAL")


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0001_the_record_squashed_0020'),
    ]

    operations = [
        migrations.CreateModel(
            name='Blob',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('data', models.BinaryField()),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='IdKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fingerprint', models.CharField(max_length=64)),
            ],
        ),
        migrations.RunPython(keep_outside_of_rows, migrations.RunPython.noop),
    ]
