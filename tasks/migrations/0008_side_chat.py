"""The side chat of shared work, and when the people of shared work and of a lobby last had input on their page."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0008_turns_and_seats'),
        ('tasks', '0007_presence_of_partners'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='assignment',
            name='active_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='ticket',
            name='active_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.CreateModel(
            name='ChatMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('seat', models.CharField(blank=True, max_length=20)),
                ('at', models.DateTimeField()),
                ('text', models.CharField(max_length=500)),
                ('to_lead', models.BooleanField()),
                ('key', models.UUIDField()),
                ('annotation', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='chat', to='annotation.annotation')),
                ('author', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('to_lead', True)), fields=['annotation'], name='messages_to_leads')],
                'constraints': [models.UniqueConstraint(fields=('annotation', 'number'), name='chat_messages_are_numbered'), models.UniqueConstraint(fields=('author', 'key'), name='a_chat_message_is_stored_once'), models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='chat_messages_have_a_text')],
            },
        ),
    ]
