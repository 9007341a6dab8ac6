"""The results of judging rounds, as they were measured last."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0030_judging_rounds"),
        ("tasks", "0019_tasks_of_exhibits"),
    ]

    operations = [
        migrations.CreateModel(
            name="RoundFigures",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("values", models.JSONField()),
                ("measured_at", models.DateTimeField()),
                ("seconds", models.FloatField()),
                ("up_to", models.BigIntegerField()),
                (
                    "round",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="figures",
                        to="annotation.judginground",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
    ]
