// Signing in again over work whose session has ended: the page stays as it is, and what was to be sent is sent then.
import { token } from "./token.js";

// `done` runs once the person is signed in again.
export function askToSignIn(dialog, done) {
  const form = dialog.querySelector("form");
  const refused = dialog.querySelector("[data-sign-in-refused]");
  form.onsubmit = async (event) => {
    event.preventDefault();
    const headers = { "X-Requested-With": "fetch" };
    await fetch(form.action, { headers }).catch(() => null); // gives a token where that is gone too
    const body = new FormData(form);
    body.set("csrfmiddlewaretoken", token(dialog));
    const answer = await fetch(form.action, { method: "POST", body, headers }).catch(() => null);
    refused.hidden = answer?.status !== 422;
    form.elements.password.value = "";
    if (!answer?.ok) return form.elements.password.focus();
    dialog.close();
    return done();
  };
  refused.hidden = true;
  if (!dialog.open) dialog.showModal();
}
