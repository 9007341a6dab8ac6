"""The human upper bound of a project, as it was measured last."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0010_cases_of_leaves"), ("tasks", "0012_signing_in")]
    operations = [
        migrations.CreateModel(
            name="HumanFigures",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("values", models.JSONField()),
                ("measured_at", models.DateTimeField()),
                ("seconds", models.FloatField()),
                ("up_to", models.BigIntegerField()),
                (
                    "project",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="human_figures",
                        to="annotation.project",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
    ]
