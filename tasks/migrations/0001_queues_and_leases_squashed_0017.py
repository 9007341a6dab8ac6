"""All tables as they are after 0017_heartbeat: what a new database runs instead of the migrations before."""

import annotation.randomness
import django.db.models.deletion
import django.db.models.functions.comparison
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('tasks', '0001_queues_and_leases'),
        ('tasks', '0002_which_tab_counts'),
        ('tasks', '0003_claims_of_a_person'),
        ('tasks', '0004_place'),
        ('tasks', '0005_claims_by_item'),
        ('tasks', '0006_lobby_tickets'),
        ('tasks', '0007_presence_of_partners'),
        ('tasks', '0008_side_chat'),
        ('tasks', '0009_figures'),
        ('tasks', '0010_pauses'),
        ('tasks', '0011_preferred_seat'),
        ('tasks', '0012_signing_in'),
        ('tasks', '0013_human_figures'),
        ('tasks', '0014_likeness'),
        ('tasks', '0015_daily_counts'),
        ('tasks', '0016_skipped_assignments'),
        ('tasks', '0017_heartbeat'),
    ]

    dependencies = [
        ('annotation', '0001_the_record_squashed_0020'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CountMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('events', models.BigIntegerField()),
                ('spans', models.BigIntegerField()),
                ('spans_seen', models.BigIntegerField()),
                ('seen_at', models.DateTimeField()),
                ('counted_at', models.DateTimeField()),
                ('seconds', models.FloatField()),
            ],
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='BoardFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('values', models.JSONField()),
                ('measured_at', models.DateTimeField()),
                ('seconds', models.FloatField()),
                ('up_to', models.BigIntegerField()),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='board_figures', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='Figures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('values', models.JSONField()),
                ('measured_at', models.DateTimeField()),
                ('seconds', models.FloatField()),
                ('up_to', models.BigIntegerField()),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='figures', to='annotation.project')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='HumanFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('values', models.JSONField()),
                ('measured_at', models.DateTimeField()),
                ('seconds', models.FloatField()),
                ('up_to', models.BigIntegerField()),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='human_figures', to='annotation.project')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Queue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('activity', models.CharField(max_length=40)),
                ('name', models.CharField(default='main', max_length=40)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('open', 'Open'), ('paused', 'Paused'), ('closed', 'Closed')], default='draft', max_length=20)),
                ('lease_minutes', models.PositiveIntegerField()),
                ('least_agreement', models.FloatField(null=True)),
                ('filled_at', models.DateTimeField(null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='queues', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='Lease',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('activity', models.CharField(max_length=40)),
                ('opened_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(null=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='leases', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='leases', to='annotation.project')),
                ('queue', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='leases', to='tasks.queue')),
            ],
        ),
        migrations.CreateModel(
            name='Task',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('activity', models.CharField(max_length=40)),
                ('split', models.CharField(max_length=40)),
                ('round', models.PositiveSmallIntegerField(default=1)),
                ('slots', models.PositiveSmallIntegerField(null=True)),
                ('train_only', models.BooleanField(default=False)),
                ('order', models.BigIntegerField()),
                ('state', models.CharField(choices=[('open', 'Open'), ('full', 'Full'), ('frozen', 'Frozen'), ('settling', 'Settling'), ('disputed', 'Disputed'), ('done', 'Done'), ('cancelled', 'Cancelled')], default='open', max_length=20)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='annotation.item')),
                ('queue', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='tasks.queue')),
            ],
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=annotation.randomness.handle, editable=False, unique=True)),
                ('slot', models.PositiveSmallIntegerField()),
                ('seat', models.CharField(default='one', max_length=20)),
                ('state', models.CharField(choices=[('leased', 'In work'), ('submitted', 'Submitted'), ('rejected', 'Rejected'), ('skipped', 'Skipped'), ('returned', 'Returned'), ('revoked', 'Revoked'), ('expired', 'Expired'), ('late', 'Late')], default='leased', max_length=20)),
                ('client', models.UUIDField(null=True)),
                ('place', models.JSONField(null=True)),
                ('seen_at', models.DateTimeField(null=True)),
                ('active_at', models.DateTimeField(null=True)),
                ('signing_in_at', models.DateTimeField(null=True)),
                ('claimed_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(null=True)),
                ('annotation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='annotation.annotation')),
                ('annotator', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                ('lease', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='tasks.lease')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='tasks.task')),
            ],
        ),
        migrations.CreateModel(
            name='Ticket',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('activity', models.CharField(max_length=40)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('offered', 'Partner found'), ('missed', 'Missed'), ('seated', 'Seated'), ('left', 'Left'), ('removed', 'Removed')], default='waiting', max_length=20)),
                ('reason', models.CharField(default='', max_length=20)),
                ('entered_at', models.DateTimeField()),
                ('in_line_since', models.DateTimeField()),
                ('seen_at', models.DateTimeField()),
                ('active_at', models.DateTimeField(null=True)),
                ('misses', models.PositiveSmallIntegerField(default=0)),
                ('prefers', models.CharField(default='', max_length=20)),
                ('offer', models.UUIDField(null=True)),
                ('offered_at', models.DateTimeField(null=True)),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tickets', to=settings.AUTH_USER_MODEL)),
                ('assignment', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ticket', to='tasks.assignment')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tickets', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='WorkCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('split', models.CharField(max_length=40)),
                ('day', models.DateField()),
                ('outcome', models.CharField(max_length=20)),
                ('reason', models.CharField(default='', max_length=40)),
                ('n', models.PositiveIntegerField()),
                ('person', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.project')),
                ('queue', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tasks.queue')),
            ],
        ),
        migrations.CreateModel(
            name='WorkTime',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('split', models.CharField(max_length=40)),
                ('day', models.DateField()),
                ('counted', models.FloatField(default=0)),
                ('idle', models.FloatField(default=0)),
                ('waited', models.FloatField(default=0)),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.project')),
                ('queue', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tasks.queue')),
            ],
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
        migrations.CreateModel(
            name='Likeness',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('activity', models.CharField(max_length=40)),
                ('annotations', models.PositiveIntegerField()),
                ('marker', models.BigIntegerField()),
                ('value', models.FloatField()),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='likenesses', to='annotation.item')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('item', 'activity'), name='one_likeness_per_item_and_activity')],
            },
        ),
        migrations.CreateModel(
            name='Pause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('project', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pauses', to='annotation.project')),
            ],
            options={
                'indexes': [models.Index(fields=['ends_at'], name='pauses_by_end')],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gte', models.F('began_at'))), name='a_pause_ends_after_it_begins')],
            },
        ),
        migrations.AddConstraint(
            model_name='queue',
            constraint=models.UniqueConstraint(fields=('project', 'activity', 'name'), name='one_queue_per_name'),
        ),
        migrations.AddIndex(
            model_name='lease',
            index=models.Index(condition=models.Q(('closed_at__isnull', True)), fields=['project', 'activity', 'expires_at'], name='open_leases_by_end'),
        ),
        migrations.AddConstraint(
            model_name='lease',
            constraint=models.UniqueConstraint(condition=models.Q(('closed_at__isnull', True)), fields=('annotator', 'project', 'activity'), name='one_open_lease_per_activity'),
        ),
        migrations.AddConstraint(
            model_name='lease',
            constraint=models.CheckConstraint(condition=models.Q(('expires_at__gte', models.F('opened_at'))), name='lease_ends_after_it_opens'),
        ),
        migrations.AddIndex(
            model_name='task',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['queue', 'order'], name='open_tasks_in_order'),
        ),
        migrations.AddIndex(
            model_name='task',
            index=models.Index(fields=['queue', 'state', 'split'], name='tasks_by_state'),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.UniqueConstraint(fields=('queue', 'item', 'round'), name='one_task_per_item_and_round'),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.CheckConstraint(condition=models.Q(('train_only', False), ('split', 'train'), _connector='OR'), name='train_only_is_train'),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.CheckConstraint(condition=models.Q(('slots__isnull', True), ('slots__gte', 1), _connector='OR'), name='slots_at_least_one'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(fields=['annotator', 'task'], name='assignments_of_a_person'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(fields=['closed_at'], name='assignments_by_end'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('state', 'skipped')), fields=['task'], name='skipped_assignments'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ('leased', 'submitted'))), fields=('task', 'slot'), name='one_holder_per_slot'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ('leased', 'submitted'))), fields=('task', 'annotator'), name='one_slot_per_annotator'),
        ),
        migrations.AddIndex(
            model_name='ticket',
            index=models.Index(condition=models.Q(('state__in', ('waiting', 'offered', 'missed'))), fields=['project', 'activity', 'in_line_since'], name='people_in_line'),
        ),
        migrations.AddIndex(
            model_name='ticket',
            index=models.Index(condition=models.Q(('state', 'seated')), fields=['project', 'activity', 'ended_at'], name='waits_of_seated'),
        ),
        migrations.AddConstraint(
            model_name='ticket',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ('waiting', 'offered', 'missed'))), fields=('annotator',), name='one_open_ticket_per_person'),
        ),
        migrations.AddConstraint(
            model_name='ticket',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('offer__isnull', False), ('offered_at__isnull', False), ('state', 'offered')), models.Q(models.Q(('state', 'offered'), _negated=True), ('confirmed_at', None), ('offer', None), ('offered_at', None)), _connector='OR'), name='an_offer_is_complete'),
        ),
        migrations.AddConstraint(
            model_name='ticket',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('state__in', ('waiting', 'offered', 'missed'))), models.Q(models.Q(('state__in', ('waiting', 'offered', 'missed')), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='a_ticket_ends_once'),
        ),
        migrations.AddConstraint(
            model_name='ticket',
            constraint=models.CheckConstraint(condition=models.Q(('assignment', None), ('state', 'seated'), _connector='OR'), name='only_the_seated_have_work'),
        ),
        migrations.AddIndex(
            model_name='workcount',
            index=models.Index(fields=['project', 'day', 'outcome', 'queue', 'split', 'person', 'reason', 'n'], name='work_counts_of_a_project'),
        ),
        migrations.AddConstraint(
            model_name='workcount',
            constraint=models.UniqueConstraint(models.F('day'), models.F('queue'), models.F('split'), django.db.models.functions.comparison.Coalesce('person', 0), models.F('outcome'), models.F('reason'), name='one_work_count'),
        ),
        migrations.AddConstraint(
            model_name='workcount',
            constraint=models.CheckConstraint(condition=models.Q(('n__gte', 1)), name='a_work_count_counts'),
        ),
        migrations.AddIndex(
            model_name='worktime',
            index=models.Index(fields=['project', 'day', 'queue', 'split', 'person', 'counted', 'waited', 'idle'], name='work_times_of_a_project'),
        ),
        migrations.AddConstraint(
            model_name='worktime',
            constraint=models.UniqueConstraint(models.F('person'), models.F('day'), models.F('project'), django.db.models.functions.comparison.Coalesce('queue', 0), models.F('split'), name='one_work_time'),
        ),
    ]
