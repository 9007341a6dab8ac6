// Detect responses that mean an expired session or closed work; sign in again in a dialog over the page.
import { token } from "./token.js";

// Our own 401 has this header; one from a proxy in between has another cause.
export const isSignedOut = (answer) => answer.status === 401 && answer.headers.has("X-Sign-In");

// The work is closed or no longer this person's: retrying is pointless.
export const isOver = (answer) => answer.status === 410 || answer.status === 404;

// The server's reason; null if it gives none.
export const whyOver = (answer) => answer.headers.get("X-Closed");

// `done` runs once the person is signed in again.
export function askToSignIn(dialog, done) {
  const form = dialog.querySelector("form");
  const refused = dialog.querySelector("[data-sign-in-refused]");
  const wrong = dialog.querySelector("[data-sign-in-wrong]");
  const wait = dialog.querySelector("[data-sign-in-wait]");
  form.onsubmit = async (event) => {
    event.preventDefault();
    const headers = { "X-Requested-With": "fetch" };
    await fetch(form.action, { headers }).catch(() => null); // sets a CSRF cookie if that is gone too
    const body = new FormData(form);
    body.set("csrfmiddlewaretoken", token(dialog));
    const answer = await fetch(form.action, { method: "POST", body, headers }).catch(() => null);
    refused.hidden = answer?.status !== 422 && answer?.status !== 429;
    wrong.hidden = answer?.status !== 422;
    wait.hidden = answer?.status !== 429;
    if (!wait.hidden) wait.querySelector("[data-how-long]").textContent = await answer.text();
    form.elements.password.value = "";
    if (!answer?.ok) return form.elements.password.focus();
    dialog.close();
    return done();
  };
  form.elements.username.value = dialog.closest("[data-user]").dataset.user;
  refused.hidden = true;
  if (!dialog.open) dialog.showModal();
}
