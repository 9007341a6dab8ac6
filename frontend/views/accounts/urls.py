"""URLs of accounts. Names that begin with `account_` or `mfa_` are those that django-allauth looks up."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from frontend.views.accounts import account, joining, passwords, second_step, sign_in, tokens

urlpatterns = [
    path("login/", sign_in.SignInView.as_view(), name="login"),
    path("login/", sign_in.SignInView.as_view(), name="account_login"),
    path("login/code/", sign_in.Code.as_view(), name="mfa_authenticate"),
    path("login/forgotten/", passwords.Forgotten.as_view(), name="account_reset_password"),
    path("login/forgotten/sent/", passwords.ForgottenSent.as_view(), name="account_reset_password_done"),
    path("login/new/<slug:uidb36>/<slug:key>/", passwords.Choose.as_view(), name="account_reset_password_from_key"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("join/<str:link>/", joining.join, name="join"),
    path("projects/<slug:slug>/join/", joining.join_open, name="join_open"),
    path("account/", account.index, name="account"),
    path("account/data/", account.data, name="account_data"),
    path("account/e-mail/", account.email, name="account_email_change"),
    path("account/password/", passwords.PasswordChange.as_view(), name="account_change_password"),
    path("account/second-step/", second_step.SetUp.as_view(), name="mfa_activate_totp"),
    path("account/second-step/remove/", second_step.Remove.as_view(), name="mfa_deactivate_totp"),
    path("account/second-step/codes/", second_step.NewCodes.as_view(), name="mfa_generate_recovery_codes"),
    path("account/again/", second_step.Again.as_view(), name="account_reauthenticate"),
    path("account/again/code/", second_step.AgainByCode.as_view(), name="mfa_reauthenticate"),
    path("account/tokens/", tokens.index, name="tokens"),
    path("account/tokens/<int:pk>/revoke/", tokens.revoke, name="revoke_token"),
    path("account/sign-ins/end/", account.end_sign_ins, name="end_sign_ins"),
    path("account/sign-ins/<int:pk>/end/", account.end_sign_in, name="end_sign_in"),
]
