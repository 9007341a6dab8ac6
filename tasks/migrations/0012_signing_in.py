"""When the page of somebody in shared work last said that its sign-in has ended."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tasks", "0011_preferred_seat")]
    operations = [
        migrations.AddField("assignment", "signing_in_at", models.DateTimeField(null=True)),
    ]
