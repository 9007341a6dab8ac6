"""Where a person was on the page when they left it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tasks", "0003_claims_of_a_person")]
    operations = [
        migrations.AddField("assignment", "place", models.JSONField(null=True)),
    ]
