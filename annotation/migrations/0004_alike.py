"""Add Item.alike, the likeness key, and compute it for existing NQ questions as an import does."""

import unicodedata
from hashlib import sha256

from django.db import migrations, models

ROWS = 1000


def fill(apps, schema_editor):
    Item = apps.get_model('annotation', 'Item')
    questions = Item.objects.filter(project__protocol='nq', alike='').only('pk', 'payload')
    rows = []
    for item in questions.iterator(chunk_size=ROWS):
        words = unicodedata.normalize('NFKC', item.payload['question_text']).casefold().split()
        item.alike = sha256(' '.join(words).rstrip(' ?!.').encode()).hexdigest()
        rows.append(item)
        if len(rows) == ROWS:
            Item.objects.bulk_update(rows, ['alike'])
            rows = []
    Item.objects.bulk_update(rows, ['alike'])


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0003_flags'),
    ]

    operations = [
        migrations.AddField(
            model_name='item',
            name='alike',
            field=models.CharField(blank=True, default='', max_length=64),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
