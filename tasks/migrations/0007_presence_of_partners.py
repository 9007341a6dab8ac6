"""When the page of somebody in shared work last polled."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tasks", "0006_lobby_tickets")]
    operations = [
        migrations.AddField("assignment", "seen_at", models.DateTimeField(null=True)),
    ]
