"""All tables as they are after 0004_mails: what a new database runs instead of the migrations before."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('qualification', '0001_invites'),
        ('qualification', '0002_sign_ins'),
        ('qualification', '0003_participants'),
        ('qualification', '0004_mails'),
    ]

    dependencies = [
        ('annotation', '0001_the_record_squashed_0020'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Invite',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('expert', 'Expert'), ('lead', 'Lead')], max_length=20)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('token_sha256', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(null=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('submission_key', models.UUIDField()),
                ('position', models.PositiveSmallIntegerField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invites_made', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invites', to='annotation.project')),
                ('used_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='invites_used', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Mail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('outcome', models.CharField(choices=[('sent', 'sent'), ('address', 'the mail server does not accept this address'), ('unreachable', 'the mail server can’t be reached'), ('sign_in', 'the mail server does not let this site sign in; its admin can mend that'), ('refused', 'the mail server refused the mail')], max_length=20)),
                ('at', models.DateTimeField()),
                ('invite', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='mail', to='qualification.invite')),
                ('user', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='password_mail', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('external_id', models.CharField(max_length=200)),
                ('parameters', models.JSONField()),
                ('at', models.DateTimeField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='participants', to='annotation.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participations', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='SignIn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_key', models.CharField(max_length=40, unique=True)),
                ('address', models.CharField(blank=True, max_length=60)),
                ('browser', models.CharField(blank=True, max_length=300)),
                ('at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_ins', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddIndex(
            model_name='invite',
            index=models.Index(fields=['project', '-made_at'], name='invites_of_a_project'),
        ),
        migrations.AddConstraint(
            model_name='invite',
            constraint=models.UniqueConstraint(fields=('submission_key', 'position'), name='one_invite_per_line'),
        ),
        migrations.AddConstraint(
            model_name='invite',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('used_at', None), ('used_by', None)), models.Q(('used_at__isnull', False), ('used_by__isnull', False)), _connector='OR'), name='who_used_an_invite_is_known'),
        ),
        migrations.AddConstraint(
            model_name='invite',
            constraint=models.CheckConstraint(condition=models.Q(('used_at', None), ('revoked_at', None), _connector='OR'), name='no_invite_is_used_and_revoked'),
        ),
        migrations.AddConstraint(
            model_name='mail',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('invite__isnull', False), ('user', None)), models.Q(('invite', None), ('user__isnull', False)), _connector='OR'), name='a_mail_has_one_purpose'),
        ),
        migrations.AddConstraint(
            model_name='participant',
            constraint=models.UniqueConstraint(fields=('project', 'user'), name='one_participant_per_account'),
        ),
        migrations.AddConstraint(
            model_name='participant',
            constraint=models.UniqueConstraint(fields=('project', 'external_id'), name='one_account_per_participant'),
        ),
    ]
