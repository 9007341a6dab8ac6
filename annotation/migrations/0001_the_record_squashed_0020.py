"""All tables as they are after 0020_stages_of_reports: what a new database runs instead of the migrations before."""

import annotation.randomness
import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('annotation', '0001_the_record'),
        ('annotation', '0002_search_text'),
        ('annotation', '0003_flags'),
        ('annotation', '0004_alike'),
        ('annotation', '0005_time'),
        ('annotation', '0006_fast_answers'),
        ('annotation', '0007_asking_by_item'),
        ('annotation', '0008_turns_and_seats'),
        ('annotation', '0009_cases'),
        ('annotation', '0010_cases_of_leaves'),
        ('annotation', '0011_experts_see_answers'),
        ('annotation', '0012_adjudications'),
        ('annotation', '0013_agreement'),
        ('annotation', '0014_uploads'),
        ('annotation', '0015_consent_texts_and_new_projects'),
        ('annotation', '0016_texts_of_items'),
        ('annotation', '0017_messages_and_ending_memberships'),
        ('annotation', '0018_ends_and_exclusions'),
        ('annotation', '0019_pass_that_measured'),
        ('annotation', '0020_stages_of_reports'),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Agreement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('activity', models.CharField(max_length=40)),
                ('numbers', models.JSONField(default=dict)),
                ('measured_at', models.DateTimeField()),
                ('whole_at', models.DateTimeField(null=True)),
                ('seconds', models.FloatField(default=0)),
                ('up_to', models.BigIntegerField()),
                ('responses_up_to', models.BigIntegerField()),
                ('seen', models.BigIntegerField()),
                ('responses_seen', models.BigIntegerField()),
                ('made_of', models.CharField(max_length=64)),
                ('measured_by', models.UUIDField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('media_type', models.CharField(max_length=80)),
                ('length', models.PositiveBigIntegerField()),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('subject', models.CharField(max_length=200)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=20)),
                ('done', models.PositiveBigIntegerField(default=0)),
                ('total', models.PositiveBigIntegerField(default=0)),
                ('heartbeat_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('key', models.CharField(max_length=120, unique=True)),
                ('report', models.JSONField(default=dict)),
                ('error', models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name='Project',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('title', models.CharField(max_length=200)),
                ('protocol', models.CharField(max_length=40)),
                ('config', models.JSONField(default=dict)),
                ('consent_sha256', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('created_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('worker_code', models.CharField(default=annotation.randomness.code, editable=False, max_length=20, unique=True)),
                ('imported_as', models.CharField(blank=True, editable=False, max_length=200, null=True, unique=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='AgreementTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('data', models.BinaryField()),
                ('agreement', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='table', to='annotation.agreement')),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('by', models.BigIntegerField(null=True)),
                ('kind', models.CharField(max_length=60)),
                ('subject', models.CharField(max_length=80)),
                ('project_id', models.BigIntegerField(db_index=True, null=True)),
                ('data', models.JSONField(default=dict)),
            ],
            options={
                'indexes': [models.Index(fields=['subject'], name='events_of_a_subject')],
            },
        ),
        migrations.CreateModel(
            name='GuidelineVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('fast_share', models.FloatField(default=0)),
                ('kind', models.CharField(choices=[('editorial', 'Editorial'), ('semantic', 'Semantic')], max_length=20)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='guidelines', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='Annotation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=annotation.randomness.handle, editable=False, unique=True)),
                ('activity', models.CharField(max_length=40)),
                ('round', models.PositiveSmallIntegerField(default=1)),
                ('purpose', models.CharField(choices=[('work', 'Work'), ('check', 'Check'), ('quiz', 'Quiz'), ('study', 'Study'), ('reference', 'Reference'), ('import', 'Import')], default='work', max_length=20)),
                ('external_id', models.CharField(blank=True, max_length=200)),
                ('position', models.PositiveIntegerField(default=0)),
                ('opened_at', models.DateTimeField()),
                ('completed_at', models.DateTimeField(null=True)),
                ('excluded_at', models.DateTimeField(null=True)),
                ('exclusion_reason', models.CharField(blank=True, max_length=200)),
                ('author', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='annotations', to=settings.AUTH_USER_MODEL)),
                ('guidelines', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='annotations', to='annotation.guidelineversion')),
            ],
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('external_id', models.CharField(max_length=200)),
                ('split', models.CharField(max_length=40)),
                ('payload', models.JSONField()),
                ('content_sha256', models.CharField(max_length=64)),
                ('alike', models.CharField(blank=True, default='', max_length=64)),
                ('is_gold', models.BooleanField(default=False)),
                ('position', models.PositiveBigIntegerField()),
                ('made_from', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='made', to='annotation.annotation')),
                ('root', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='descendants', to='annotation.item')),
                ('job', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='annotation.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='items', to='annotation.project')),
            ],
        ),
        migrations.AddField(
            model_name='annotation',
            name='item',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='annotations', to='annotation.item'),
        ),
        migrations.CreateModel(
            name='ItemText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='text', to='annotation.item')),
            ],
        ),
        migrations.AddField(
            model_name='annotation',
            name='job',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='annotations', to='annotation.job'),
        ),
        migrations.CreateModel(
            name='LineRemark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('refused', models.BooleanField()),
                ('line', models.PositiveBigIntegerField()),
                ('field', models.CharField(blank=True, max_length=200)),
                ('text', models.TextField()),
                ('says', models.CharField(blank=True, max_length=200)),
                ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='remarks', to='annotation.job')),
            ],
        ),
        migrations.CreateModel(
            name='NewProject',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fields', models.JSONField(default=dict)),
                ('saved_at', models.DateTimeField()),
                ('by', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='new_project', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('expert', 'Expert'), ('lead', 'Lead')], max_length=20)),
                ('since', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('sees_answers_since', models.DateTimeField(blank=True, editable=False, null=True)),
                ('no_new_work_since', models.DateTimeField(blank=True, editable=False, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='annotation.project')),
            ],
        ),
        migrations.AddField(
            model_name='job',
            name='project',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jobs', to='annotation.project'),
        ),
        migrations.CreateModel(
            name='ConsentText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64)),
                ('text', models.TextField()),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consent_texts', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='Consent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text_sha256', models.CharField(max_length=64)),
                ('at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consents', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consents', to='annotation.project')),
            ],
        ),
        migrations.AddField(
            model_name='agreement',
            name='project',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='agreement', to='annotation.project'),
        ),
        migrations.CreateModel(
            name='Release',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('building', 'Building'), ('ready', 'Ready'), ('failed', 'Failed'), ('retracted', 'Retracted')], default='building', max_length=20)),
                ('recipe', models.JSONField()),
                ('members_sha256', models.CharField(blank=True, max_length=64)),
                ('manifest_sha256', models.CharField(blank=True, max_length=64)),
                ('code_version', models.CharField(max_length=40)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='releases', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='Response',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stage', models.CharField(max_length=40)),
                ('turn', models.PositiveSmallIntegerField(default=0)),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('seat', models.CharField(db_default='one', default='one', max_length=20)),
                ('schema', models.CharField(max_length=80)),
                ('payload', models.JSONField()),
                ('seconds', models.FloatField(null=True)),
                ('submission_key', models.UUIDField(null=True)),
                ('body_sha256', models.CharField(blank=True, max_length=64)),
                ('created_at', models.DateTimeField()),
                ('annotation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='responses', to='annotation.annotation')),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='responses', to=settings.AUTH_USER_MODEL)),
                ('guidelines', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='responses', to='annotation.guidelineversion')),
            ],
        ),
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('flag', 'Flagged answer'), ('acceptance', 'To be accepted'), ('leaves', 'Left partners without a reason')], max_length=20)),
                ('state', models.CharField(choices=[('open', 'Open'), ('upheld', 'Upheld'), ('dismissed', 'Dismissed')], default='open', max_length=20)),
                ('reason', models.CharField(blank=True, max_length=40)),
                ('text', models.TextField(blank=True)),
                ('ends', models.BooleanField(default=False)),
                ('at', models.DateTimeField()),
                ('about', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='cases_about', to=settings.AUTH_USER_MODEL)),
                ('annotation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='annotation.annotation')),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='cases', to=settings.AUTH_USER_MODEL)),
                ('response', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='annotation.response')),
            ],
        ),
        migrations.CreateModel(
            name='SearchText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.TextField()),
                ('abstract', models.TextField()),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='search_text', to='annotation.item')),
            ],
        ),
        migrations.CreateModel(
            name='Thread',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seen_by_person', models.PositiveIntegerField(default=0)),
                ('seen_by_leads', models.PositiveIntegerField(default=0)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='threads', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='threads', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('from_lead', models.BooleanField()),
                ('at', models.DateTimeField()),
                ('text', models.CharField(max_length=2000)),
                ('key', models.UUIDField()),
                ('author', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.item')),
                ('thread', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='messages', to='annotation.thread')),
            ],
        ),
        migrations.CreateModel(
            name='TimeAmendment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('minutes', models.SmallIntegerField()),
                ('note', models.CharField(max_length=500)),
                ('submission_key', models.UUIDField()),
                ('at', models.DateTimeField()),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='time_amendments', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='time_amendments', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='TimeSpan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stage', models.CharField(blank=True, max_length=40)),
                ('kind', models.CharField(choices=[('active', 'Active'), ('reading', 'Reading'), ('idle', 'Idle')], max_length=20)),
                ('begun_at', models.DateTimeField()),
                ('seconds', models.FloatField()),
                ('annotation', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='time_spans', to='annotation.annotation')),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='time_spans', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='time_spans', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('size', models.PositiveBigIntegerField()),
                ('beginning', models.PositiveBigIntegerField()),
                ('received', models.PositiveBigIntegerField(default=0)),
                ('checksum', models.PositiveBigIntegerField(default=0)),
                ('updated_at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='annotation.project')),
            ],
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stage', models.CharField(max_length=40)),
                ('turn', models.PositiveSmallIntegerField(default=0)),
                ('client', models.UUIDField()),
                ('seq', models.PositiveIntegerField()),
                ('data', models.JSONField()),
                ('saved_at', models.DateTimeField()),
                ('annotation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to='annotation.annotation')),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('annotation', 'author', 'stage', 'turn'), name='one_draft_per_step')],
            },
        ),
        migrations.CreateModel(
            name='Flag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('activity', models.CharField(max_length=40)),
                ('stage', models.CharField(default='', max_length=40)),
                ('reason', models.CharField(choices=[('broken', 'It is broken or does not display'), ('offensive', 'It is offensive'), ('personal', 'It shows personal data'), ('language', 'It is in the wrong language'), ('other', 'Something else')], max_length=20)),
                ('text', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
                ('settled_at', models.DateTimeField(null=True)),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='flags', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='flags', to='annotation.item')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('settled_at__isnull', True)), fields=('item', 'author'), name='one_open_flag_per_person')],
            },
        ),
        migrations.CreateModel(
            name='Adjudication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('activity', models.CharField(max_length=40)),
                ('round', models.PositiveSmallIntegerField()),
                ('reason', models.CharField(max_length=200)),
                ('agreement', models.FloatField()),
                ('at', models.DateTimeField()),
                ('taken_back_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjudications', to=settings.AUTH_USER_MODEL)),
                ('annotation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjudications', to='annotation.annotation')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjudications', to='annotation.item')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('taken_back_at__isnull', True)), fields=('item', 'activity', 'round'), name='one_standing_adjudication'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='an_adjudication_has_a_reason')],
            },
        ),
        migrations.CreateModel(
            name='ItemDocument',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('title', models.TextField(blank=True)),
                ('url', models.TextField(blank=True)),
                ('licence', models.CharField(blank=True, max_length=200)),
                ('layout', models.CharField(max_length=64)),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='item_documents', to='annotation.document')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='item_documents', to='annotation.item')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('item', 'position'), name='one_document_per_position')],
            },
        ),
        migrations.AddIndex(
            model_name='annotation',
            index=models.Index(condition=models.Q(('excluded_at__isnull', False)), fields=['item'], name='excluded_annotations'),
        ),
        migrations.AddIndex(
            model_name='annotation',
            index=models.Index(condition=models.Q(('completed_at__isnull', False)), fields=['completed_at', 'item'], name='annotations_by_end'),
        ),
        migrations.AddConstraint(
            model_name='annotation',
            constraint=models.UniqueConstraint(condition=models.Q(('author__isnull', False)), fields=('author', 'item', 'activity', 'round', 'purpose'), name='one_annotation_per_person_and_round'),
        ),
        migrations.AddConstraint(
            model_name='annotation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('excluded_at__isnull', True), ('exclusion_reason', '')), models.Q(('excluded_at__isnull', False), models.Q(('exclusion_reason', ''), _negated=True)), _connector='OR'), name='excluded_needs_a_reason'),
        ),
        migrations.AddIndex(
            model_name='lineremark',
            index=models.Index(fields=['job', 'refused', 'line', 'id'], name='remarks_in_order'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('project', 'user', 'role'), name='one_live_membership'),
        ),
        migrations.AddIndex(
            model_name='item',
            index=models.Index(fields=['project', 'split', 'position'], name='items_in_order'),
        ),
        migrations.AddIndex(
            model_name='item',
            index=models.Index(fields=['project', 'alike'], name='items_that_ask_the_same'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.UniqueConstraint(fields=('project', 'kind', 'external_id'), name='one_item_per_external_id'),
        ),
        migrations.AddConstraint(
            model_name='guidelineversion',
            constraint=models.UniqueConstraint(fields=('project', 'number'), name='one_guideline_number'),
        ),
        migrations.AddConstraint(
            model_name='consenttext',
            constraint=models.UniqueConstraint(fields=('project', 'sha256'), name='one_row_per_consent_text'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.UniqueConstraint(fields=('user', 'project', 'text_sha256'), name='one_consent_per_text'),
        ),
        migrations.AddConstraint(
            model_name='agreement',
            constraint=models.UniqueConstraint(fields=('project', 'activity'), name='one_agreement_per_activity'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.UniqueConstraint(fields=('project', 'version'), name='one_release_per_version'),
        ),
        migrations.AddIndex(
            model_name='response',
            index=models.Index(condition=models.Q(('seat', 'one'), _negated=True), fields=['author', 'annotation'], name='answers_made_together'),
        ),
        migrations.AddConstraint(
            model_name='response',
            constraint=models.UniqueConstraint(fields=('annotation', 'stage', 'turn', 'revision'), name='one_response_per_revision'),
        ),
        migrations.AddConstraint(
            model_name='response',
            constraint=models.UniqueConstraint(condition=models.Q(('submission_key__isnull', False)), fields=('author', 'submission_key'), name='one_response_per_submission_key'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['annotation'], name='open_cases'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('about', None), ('author__isnull', False), ('kind', 'flag'), ('response__isnull', False), models.Q(('reason', ''), _negated=True)), models.Q(('about', None), ('author', None), ('ends', False), ('kind', 'acceptance'), ('reason', ''), ('response', None)), models.Q(('about__isnull', False), ('author', None), ('ends', False), ('kind', 'leaves'), ('reason', ''), ('response', None)), _connector='OR'), name='a_case_has_what_its_kind_needs'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.UniqueConstraint(fields=('response', 'author'), name='one_flag_per_person_and_response'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'acceptance')), fields=('annotation',), name='one_acceptance_per_annotation'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'leaves')), fields=('annotation', 'about'), name='one_case_of_leaves_per_annotation'),
        ),
        migrations.AddConstraint(
            model_name='thread',
            constraint=models.UniqueConstraint(fields=('project', 'person'), name='one_thread_per_person_and_project'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.UniqueConstraint(fields=('thread', 'number'), name='messages_are_numbered'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.UniqueConstraint(fields=('author', 'key'), name='a_message_is_stored_once'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='messages_have_a_text'),
        ),
        migrations.AddIndex(
            model_name='timeamendment',
            index=models.Index(fields=['annotator', 'day'], name='amendments_of_a_person'),
        ),
        migrations.AddConstraint(
            model_name='timeamendment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('minutes', 0), _negated=True), models.Q(('note', ''), _negated=True)), name='amendment_says_how_much_and_why'),
        ),
        migrations.AddConstraint(
            model_name='timeamendment',
            constraint=models.UniqueConstraint(fields=('annotator', 'submission_key'), name='one_amendment_per_submission_key'),
        ),
        migrations.AddIndex(
            model_name='timespan',
            index=models.Index(fields=['annotator', 'begun_at'], name='time_spans_of_a_person'),
        ),
        migrations.AddConstraint(
            model_name='timespan',
            constraint=models.CheckConstraint(condition=models.Q(('seconds__gt', 0)), name='time_span_lasts'),
        ),
        migrations.AddConstraint(
            model_name='upload',
            constraint=models.UniqueConstraint(fields=('project', 'by', 'name', 'size', 'beginning'), name='one_upload_of_each_file_and_person'),
        ),
        migrations.AddConstraint(
            model_name='upload',
            constraint=models.CheckConstraint(condition=models.Q(('received__lte', models.F('size'))), name='an_upload_ends_with_its_file'),
        ),
    ]
