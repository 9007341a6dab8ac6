"""Add ItemText, by which leads find items, and fill it for those that exist."""

import django.db.models.deletion
from django.db import migrations, models

ROWS = 1000


def fill(apps, schema_editor):
    # The caption is the protocol's, as for new items; an item whose caption can't be read is found by its id alone.
    from annotation import registry, search

    Item, ItemText = apps.get_model('annotation', 'Item'), apps.get_model('annotation', 'ItemText')
    for protocol in Item.objects.order_by().values_list('project__protocol', flat=True).distinct():
        rows = []
        for item in Item.objects.filter(project__protocol=protocol, text=None).order_by('pk').iterator(chunk_size=ROWS):
            try:
                caption = registry.get(protocol).caption(item.kind, item.payload)
            except (KeyError, IndexError):
                caption = ''
            rows.append(ItemText(item=item, text=search.caption_text(caption, item.external_id)))
            if len(rows) == ROWS:
                ItemText.objects.bulk_create(rows)
                rows = []
        ItemText.objects.bulk_create(rows)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0015_consent_texts_and_new_projects'),
    ]

    operations = [
        migrations.CreateModel(
            name='ItemText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='text', to='annotation.item')),
            ],
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
