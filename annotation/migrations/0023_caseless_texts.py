"""Write the texts in which leads and writers search as they are written now: without case and Unicode's forms.

The texts of the index are derived from the items, so that they are written as the version that runs reads them.
"""

import unicodedata

from django.db import migrations

from annotation import search

ROWS = 1000


def caseless(text):
    return unicodedata.normalize('NFKC', unicodedata.normalize('NFKC', text).casefold()).replace('_', ' ')


def rewrite(apps, schema_editor):
    """Captions are rewritten; titles and abstracts are replaced, since their index follows rows that come and go."""
    ItemText = apps.get_model('annotation', 'ItemText')
    changed = []
    for row in ItemText.objects.order_by('pk').iterator(chunk_size=ROWS):
        text = caseless(row.text)
        if text != row.text:
            row.text = text
            changed.append(row)
        if len(changed) == ROWS:
            ItemText.objects.bulk_update(changed, ['text'])
            changed = []
    ItemText.objects.bulk_update(changed, ['text'])
    SearchText = apps.get_model('annotation', 'SearchText')
    for row in SearchText.objects.order_by('pk').iterator(chunk_size=ROWS):
        title, abstract = search.indexed_text(row.title), search.indexed_text(row.abstract)
        if (title, abstract) != (row.title, row.abstract):
            item, _ = row.item_id, row.delete()
            SearchText.objects.create(item_id=item, title=title, abstract=abstract)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0022_job_leases'),
    ]

    operations = [
        migrations.RunPython(rewrite, migrations.RunPython.noop),
    ]
