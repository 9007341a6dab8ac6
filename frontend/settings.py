"""Settings, from environment variables with defaults that work on one machine (.env.example lists them)."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from frontend.server.secret_key import kept_id_key, kept_secret

# The matrix products of numpy are small here: with a second thread, each takes ten times as long on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BASE_DIR = Path(__file__).resolve().parent.parent
GOLDFINCH_DATA = Path(os.environ.get("GOLDFINCH_DATA", BASE_DIR / "data")).resolve()
"""The folder of the SQLite file, generated secrets, and what jobs of this machine write on the way."""
GOLDFINCH_STORAGE = Path(os.environ["GOLDFINCH_STORAGE"]).resolve() if os.environ.get("GOLDFINCH_STORAGE") else None
"""Where uploads, refused lines and releases are, if not there: a folder that several web machines share."""

DEBUG = os.environ.get("DEBUG", "") == "1"
if GOLDFINCH_STORAGE and not (os.environ.get("SECRET_KEY") and os.environ.get("GOLDFINCH_ID_KEY")):
    raise ImproperlyConfigured(
        "With GOLDFINCH_STORAGE, SECRET_KEY and GOLDFINCH_ID_KEY must be set, alike on all machines."
    )
SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret(GOLDFINCH_DATA)
GOLDFINCH_ID_KEY = os.environ.get("GOLDFINCH_ID_KEY") or kept_id_key(GOLDFINCH_DATA, secret_key=SECRET_KEY)
"""Derives ids of annotations and of items made from them, and pseudonyms: never change it (SECRET_KEY may change)."""
ALLOWED_HOSTS = os.environ.get("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]").split(",")
CSRF_TRUSTED_ORIGINS = [origin for origin in os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(",") if origin]
CSRF_FAILURE_VIEW = "frontend.unknown_proxy.csrf_failure"
GOLDFINCH_ORGANISATION = os.environ.get("GOLDFINCH_ORGANISATION", "").strip()
"""Who runs the site: named in the consent text and where people sign in."""
GOLDFINCH_CONTACT = os.environ.get("GOLDFINCH_CONTACT", "").strip()
"""How to reach them: an e-mail address, a web page or a few words."""
HTTPS = os.environ.get("HTTPS", "") == "1"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 63072000 if HTTPS else 0
PATH_PREFIX = os.environ.get("PATH_PREFIX", "").strip("/")
"""The path below which a proxy serves the site, such as `goldfinch`; "" if it has a host name of its own."""
FORCE_SCRIPT_NAME = f"/{PATH_PREFIX}" if PATH_PREFIX else None
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"/{PATH_PREFIX}/" if PATH_PREFIX else "/"
# Browsers take a cookie named __Host- for the whole host only.
SESSION_COOKIE_NAME = ("__Secure-session" if PATH_PREFIX else "__Host-session") if HTTPS else "goldfinch_session"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if os.environ.get("BEHIND_PROXY") == "1" else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "template_partials",
    "annotation",
    "annotation.protocols.nq",
    "annotation.protocols.qasper",
    "annotation.protocols.squad",
    "annotation.protocols.coqa",
    "annotation.protocols.dureader",
    *filter(None, os.environ.get("GOLDFINCH_PROTOCOLS", "").split(",")),
    "qualification",
    "tasks",
    "frontend",
    # Below `frontend`, whose templates come before theirs.
    "allauth",
    "allauth.account",
    "allauth.mfa",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "frontend.middleware.session_expired.SignedOutMiddleware",
    "frontend.middleware.each_request.FirstRunMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "frontend.middleware.each_request.NoNulMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "frontend.middleware.each_request.OriginMiddleware",
    "frontend.middleware.each_request.TimeZoneMiddleware",
    "frontend.middleware.before_looking.BeforeLookingMiddleware",
    "frontend.errors.RefusalMiddleware",
]

ROOT_URLCONF = "frontend.urls"
ASGI_APPLICATION = "frontend.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["frontend.templatetags.icons"],
        },
    }
]


def _database(url: str) -> dj_database_url.DBConfig:
    """A persistent connection per pool thread; SQLite takes the write lock at BEGIN and fsyncs each commit."""
    config = dj_database_url.parse(url, conn_max_age=None, conn_health_checks=True)
    if config["ENGINE"].endswith("sqlite3"):
        config["ENGINE"] = "frontend.server.sqlite"
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        }
    return config


DATABASE_URL = os.environ.get("DATABASE_URL", f"sqlite:///{GOLDFINCH_DATA / 'goldfinch.sqlite3'}")
DATABASES = {"default": _database(DATABASE_URL), "snapshot": _database(DATABASE_URL)}
# Exports read from this one, in a snapshot of the data, so that a long read never holds the write lock of `default`.
DATABASES["snapshot"]["TEST"] = {"MIRROR": "default"}
if "transaction_mode" in DATABASES["snapshot"].get("OPTIONS", {}):
    DATABASES["snapshot"]["OPTIONS"] = DATABASES["default"]["OPTIONS"] | {"transaction_mode": "DEFERRED"}
else:
    DATABASES["snapshot"]["OPTIONS"] = {
        "options": "-c default_transaction_isolation=repeatable\\ read -c default_transaction_read_only=on"
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = os.environ.get("REDIS_URL", "")
EMBEDDED = not REDIS_URL
"""Without Redis, one process does everything: web, Celery worker and beat, on in-memory transports."""
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},  # seconds
    }
    if REDIS_URL
    # The sessions: beyond the default of 300, those of people at work would push each other out.
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 20_000}},
    # Fragments of templates that are the same for everybody, cached per process: some for each stage, or answer.
    "words": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "words",
        "OPTIONS": {"MAX_ENTRIES": 2_000},
    },
}
# What everybody in the room of a meeting sees alike, per process.
CACHES["rooms"] = CACHES["words"] | {"LOCATION": "rooms"}
# Counters of failed log-ins, apart from the sessions, which would push them out of a small cache.
CACHES["log_ins"] = (
    CACHES["default"] | {"KEY_PREFIX": "log-ins"}
    if REDIS_URL
    else CACHES["words"] | {"LOCATION": "log-ins", "OPTIONS": {"MAX_ENTRIES": 20_000}}
)
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.05} if EMBEDDED else {"visibility_timeout": 600}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TIMEZONE = "UTC"


def _limit(text: str) -> tuple[int, int]:
    tries, minutes = text.split("/")
    return int(tries), int(minutes)


AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = ["frontend.server.sign_in.SignInBackend"]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
PASSWORD_HASHERS = [
    "frontend.server.sign_in.Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
LOG_IN_LIMITS = {
    "name_at_address": _limit(os.environ.get("LOG_IN_LIMIT_NAME_AT_ADDRESS", "5/5")),
    "address": _limit(os.environ.get("LOG_IN_LIMIT_ADDRESS", "30/5")),
    "name": _limit(os.environ.get("LOG_IN_LIMIT_NAME", "100/60")),
}
"""Failed log-ins, and in how many minutes: with one name from one address, from one address, with one name."""
ACCOUNT_ADAPTER = "frontend.accounts.adapter.Adapter"
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_SESSION_REMEMBER = True  # for as long as any session
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "frontend.accounts.password_tokens.PasswordTokens"  # noqa: S105
ACCOUNT_RATE_LIMITS = {"login": None}
"""Log-ins have LOG_IN_LIMITS; all else, such as codes of a second step, has django-allauth's own limits."""
MFA_ADAPTER = "frontend.accounts.adapter.SecondStepAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Goldfinch"
MFA_TOTP_TOLERANCE = 0  # or a code would be valid for longer than django-allauth remembers that it was used
GOLDFINCH_MFA = os.environ.get("GOLDFINCH_MFA") or ("offered" if EMBEDDED else "required")
"""`required`: leads and admins see nobody's work without a second step. `offered`: they may set one up."""
GOLDFINCH_MFA_DAYS = int(os.environ.get("GOLDFINCH_MFA_DAYS", "7"))
"""For how many days after becoming a lead they are only reminded."""
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

EMAIL_HOST = os.environ.get("SMTP_HOST", "")
"""Without it nothing is mailed: invitations and new passwords are links that people pass on."""
EMAIL_PORT = int(os.environ.get("SMTP_PORT", "587"))
EMAIL_HOST_USER = os.environ.get("SMTP_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("SMTP_PASSWORD", "")
EMAIL_USE_SSL = os.environ.get("SMTP_TLS", "starttls") == "tls"
EMAIL_USE_TLS = os.environ.get("SMTP_TLS", "starttls") == "starttls"
EMAIL_TIMEOUT = 20  # seconds
EMAIL_BACKEND = "frontend.server.mail.Backend"
DEFAULT_FROM_EMAIL = os.environ.get("MAIL_FROM", "goldfinch@localhost")

GOLDFINCH_CALLS_ITSELF = os.environ.get("GOLDFINCH_CALLS_ITSELF") == "1"
"""For tests: a host that an admin has allowed may be this machine, also over http. All other rules of calls stay."""

_prolific = os.environ.get("GOLDFINCH_PROLIFIC", "").rstrip("/")
GOLDFINCH_PROLIFIC = "https://api.prolific.com" if _prolific == "1" else _prolific
"""Where Prolific's API is, for leads who connect a project to a study there. Empty, the default: they can't."""

LANGUAGE_CODE = "en"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LOCALE_PATHS = [BASE_DIR / "frontend" / "locale"]

STATIC_URL = f"{SESSION_COOKIE_PATH}static/"
STATIC_ROOT = GOLDFINCH_DATA / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "frontend.server.static_storage.Storage"
        if not DEBUG
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

SWAGGER = "static/drf_spectacular_sidecar/swagger-ui-dist"
STATICFILES_DIRS = [("swagger", Path(str(files("drf_spectacular_sidecar"))) / SWAGGER)]
"""The page that lists and tries the API; the package's other folders are not served."""
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["frontend.api.callers.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["frontend.api.callers.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["frontend.api.callers.TokenThrottle"],
    "DEFAULT_THROTTLE_RATES": {"token": f"{int(os.environ.get('API_CALLS_A_MINUTE', '600'))}/min"},
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "frontend.api.schema.Schema",
    "EXCEPTION_HANDLER": "frontend.api.problems.refusal_answer",
    "URL_FORMAT_OVERRIDE": None,  # an address has one form
    "NUM_PROXIES": 0,
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Goldfinch",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v[0-9]+",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {  # what states are of
        "CaseStateEnum": "annotation.models.CaseState",
        "InviteStateEnum": "qualification.models.InviteState",
        "JobStateEnum": "annotation.models.Job.State",
        "QueueStateEnum": "tasks.models.states.QueueState",
        "ReleaseStateEnum": "annotation.models.Release.State",
        "RolesEnum": "annotation.models.Role",
        "RoundStateEnum": "annotation.models.RoundState",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "frontend.api.schema.add_problem",
    ],
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
CELERY_BEAT_SCHEDULE = {
    # At once after each start: without a last run, the first would be after the interval.
    "beat-heart": {"task": "tasks.jobs.beat_heart", "schedule": 15.0, "last_run_at": datetime(2000, 1, 1, tzinfo=UTC)},
    "expire-leases": {"task": "tasks.jobs.expire_leases", "schedule": 30.0},
    "end-exams": {"task": "tasks.jobs.end_exams", "schedule": 30.0},
    "end-memberships": {"task": "tasks.jobs.end_memberships", "schedule": 60.0},
    "fill-queues": {"task": "tasks.jobs.fill_queues", "schedule": 60.0},
    "compare-annotations": {"task": "tasks.jobs.compare_annotations", "schedule": 30.0},
    "count-work": {"task": "tasks.jobs.count_work", "schedule": 10.0},
    "measure-boards": {"task": "tasks.jobs.measure_boards", "schedule": 30.0},
    "measure-figures": {"task": "tasks.jobs.measure_figures", "schedule": 30.0},
    "measure-human-bounds": {"task": "tasks.jobs.measure_human_bounds", "schedule": 30.0},
    "measure-agreement": {"task": "tasks.jobs.measure_agreement", "schedule": 15.0},
    "measure-judging-rounds": {"task": "tasks.jobs.measure_judging_rounds", "schedule": 15.0},
    "send-to-prolific": {"task": "tasks.jobs.send_to_prolific", "schedule": 10.0},
    "start-jobs": {"task": "tasks.jobs.start_jobs", "schedule": 2.0},
    "send-webhooks": {"task": "tasks.jobs.send_webhooks", "schedule": 5.0},
    "remove-old-files": {"task": "tasks.jobs.remove_old_files", "schedule": 600.0},
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
"""Bytes of one request's body; the gateway refuses larger ones before they reach a thread."""

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "uncaught": {"()": "django.utils.log.CallbackFilter", "callback": lambda record: bool(record.exc_info)},
        "not_debugging": {"()": "django.utils.log.RequireDebugFalse"},
    },
    "handlers": {"tracebacks": {"class": "logging.StreamHandler", "filters": ["uncaught", "not_debugging"]}},
    "loggers": {
        "django.request": {"handlers": ["tracebacks"], "level": "ERROR"},
    },
}
"""Exceptions that no view caught are written to standard error; Django's default writes them only while debugging."""
