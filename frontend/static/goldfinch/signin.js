// Detect responses that mean an expired session or closed work; sign in again in a dialog over the page.
import { get, post } from "./fetching.js";

// Our own 401 has this header; one from a proxy in between has another cause.
/** @param {Response} answer */
export const isSignedOut = (answer) => answer.status === 401 && answer.headers.has("X-Sign-In");

// The work is closed or no longer this person's: retrying is pointless.
/** @param {Response} answer */
export const isOver = (answer) => answer.status === 410 || answer.status === 404;

// The server's reason; null if it gives none.
/** @param {Response} answer */
export const whyOver = (answer) => answer.headers.get("X-Closed");

// `done` runs once the person is signed in again. If their account has a second step, the server answers the password
// with 202 and wants a code.
/** @param {HTMLDialogElement} dialog @param {() => void} done */
export function askToSignIn(dialog, done) {
  const form = dialog.querySelector("form");
  const refused = dialog.querySelector("[data-sign-in-refused]");
  const wrong = dialog.querySelector("[data-sign-in-wrong]");
  const wrongCode = dialog.querySelector("[data-sign-in-wrong-code]");
  const wait = dialog.querySelector("[data-sign-in-wait]");
  let wantsCode = false;
  /** @param {string} what */
  const ask = (what) => {
    wantsCode = what === "code";
    for (const [name, shown] of /** @type {const} */ ([["password", !wantsCode], ["code", wantsCode]])) {
      const field = form.elements[name];
      dialog.querySelector(`[data-sign-in-${name}]`).hidden = !shown;
      [field.disabled, field.required, field.value] = [!shown, shown, ""];
    }
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    await get(form.action); // sets a CSRF cookie if that is gone too
    const address = wantsCode ? dialog.dataset.codeUrl : form.action;
    const answer = await post(address, new FormData(form), { root: dialog });
    if (answer?.status === 202) ask("code");
    if (answer?.status === 401) ask("password"); // the sign-in took too long and begins again
    refused.hidden = answer?.status !== 422 && answer?.status !== 429;
    wrong.hidden = answer?.status !== 422 || wantsCode;
    wrongCode.hidden = answer?.status !== 422 || !wantsCode;
    wait.hidden = answer?.status !== 429;
    if (!wait.hidden) wait.querySelector("[data-how-long]").textContent = await answer.text();
    const field = form.elements[wantsCode ? "code" : "password"];
    field.value = "";
    if (!answer?.ok || answer.status === 202) return field.focus();
    dialog.close();
    return done();
  };
  form.elements.username.value = dialog.closest("[data-user]").dataset.user;
  refused.hidden = true;
  ask("password");
  if (!dialog.open) dialog.showModal();
}
