// A form with data-kept="…" has what was written into it on this device until it is sent: a key that leads to another
// page, or a reload, must not cost a reason.
import { erase, formKey, keep, kept } from "./storage.js";

/** @param {HTMLFormElement} form @returns {HTMLInputElement[]} */
const fieldsOf = (form) => /** @type {HTMLInputElement[]} */ ([
  ...form.querySelectorAll("textarea, input:not([type=hidden])"),
]);

/** @param {HTMLInputElement} field */
const isChoice = (field) => field.type === "radio" || field.type === "checkbox";

/** @param {HTMLFormElement} form */
function written(form) {
  const chosen = fieldsOf(form).filter((field) => !isChoice(field) || field.checked);
  return Object.fromEntries(chosen.map((field) => [field.name, field.value]));
}

/** @param {HTMLFormElement} form @param {Record<string, string>} values */
function restore(form, values) {
  for (const field of fieldsOf(form)) {
    if (!(field.name in values)) continue;
    if (isChoice(field)) field.checked = field.value === values[field.name];
    else field.value = values[field.name];
  }
}

// Keep what is written into the forms below this element, and restore what was.
/** @param {ParentNode} root */
export function keepForms(root) {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (root.querySelectorAll("form[data-kept]"))) {
    const key = formKey(form.dataset.kept);
    const sentBack = Object.values(written(form)).some((value) => value !== "");
    if (sentBack) keep(key, written(form));
    else restore(form, kept(key) ?? {});
    form.addEventListener("input", () => keep(key, written(form)));
    form.addEventListener("submit", () => erase(key));
  }
}

keepForms(document);
