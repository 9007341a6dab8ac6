"""The seat that somebody in a lobby would rather have."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tasks", "0010_pauses")]
    operations = [
        migrations.AddField("ticket", "prefers", models.CharField(default="", max_length=20)),
    ]
