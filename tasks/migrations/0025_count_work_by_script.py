from django.db import migrations


def count_everything_anew(apps, schema_editor):
    """Days that were counted before don't say what came by script; without a mark, the next pass counts all of them."""
    apps.get_model("tasks", "CountMark").objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0024_studies_on_prolific'),
    ]

    operations = [
        migrations.RunPython(count_everything_anew, migrations.RunPython.noop),
    ]
