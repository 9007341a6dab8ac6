// Every page: time zone, theme switch, sign out, show password, and the keys printed on buttons of the home page.
import "./settled.js";
import "./composing.js"; // before every other listener
import "./popovers.js";
import { isDark } from "./colours.js";
import { token } from "./fetching.js";
import { UnsentCopies } from "./unsent.js";
import { answers, drafts, draftKey, erase, forgetDrafts, outboxKey, read, shared, write } from "./storage.js";

const root = document.documentElement;

// The server writes times in the zone that this cookie names.
function nameTimeZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone || document.cookie.split("; ").includes(`time_zone=${zone}`)) return;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `time_zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}
nameTimeZone();

function switchTheme() {
  root.dataset.theme = isDark() ? "light" : "dark";
  write("goldfinch:theme", root.dataset.theme);
  document.dispatchEvent(new CustomEvent("goldfinch:theme"));
}

/** @param {HTMLElement} button */
function reveal(button) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.reveal));
  const shown = field.type === "password";
  field.type = shown ? "text" : "password";
  button.setAttribute("aria-pressed", shown);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-theme-switch], [data-reveal]");
  if (!button) return;
  if (button.dataset.reveal) reveal(button);
  else switchTheme();
});

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.matches("[data-forget-drafts]")) forgetDrafts();
  // Somebody who has signed in again in another tab has another token.
  if (form.matches("[data-unsent-form]")) form.elements.csrfmiddlewaretoken.value = token(form);
});

for (const box of document.querySelectorAll("input[data-shared-computer]")) {
  box.checked = shared();
  box.addEventListener("change", () => {
    if (!box.checked) return erase("goldfinch:shared");
    forgetDrafts();
    write("goldfinch:shared", "1");
  });
}

// Answers that could not be sent are kept on this device, and sent by the page of their work.
// Those that conflict with newer work are announced.
/** @param {HTMLElement} line */
async function showUnsent(line) {
  const [user, notice] = [line.dataset.unsent, document.querySelector("[data-kept]")];
  const waiting = answers({ user });
  const keeper = new UnsentCopies(notice, { onCount: (n) => { notice.querySelector(".alert").hidden = !n; } });
  notice.querySelector("[data-kept-show]").addEventListener("click", async () => {
    const said = notice.querySelector("[data-kept-said]");
    said.textContent = said.dataset[await keeper.show()] ?? "";
  });
  const verdicts = await keeper.look([...waiting, ...drafts({ user })]);
  for (const [number, [, { url }]] of waiting.entries()) {
    if (verdicts[number] !== "current" && verdicts[number] !== "unknown") continue;
    line.hidden = false;
    line.querySelector("a").href = url;
  }
}
for (const line of document.querySelectorAll("[data-unsent]")) showUnsent(line);

// When the person has chosen one of two versions, erase the local copy of the other.
document.addEventListener("click", (event) => {
  const chosen = event.target.closest?.("[data-put-away]")?.dataset;
  if (!chosen) return;
  const [work, stage, client, submission] = chosen.putAway.split("\n");
  erase(draftKey(work, stage, client));
  erase(outboxKey(work, submission));
});

// Enter that is held presses a button, follows a link or sends a form once. Text of several lines takes it as often.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.repeat) return;
  const writes = event.target.matches("textarea, [contenteditable]") && !event.ctrlKey && !event.metaKey;
  if (!writes) event.preventDefault();
}, { capture: true });

// What is on its way is not sent again by its key: another page comes instead.
/** @type {WeakSet<EventTarget>} */
let sent = new WeakSet();
document.addEventListener("submit", (event) => { if (!event.defaultPrevented) sent.add(event.target); });
addEventListener("pageshow", () => { sent = new WeakSet(); });

// A form with data-ctrl-enter, like that of a stage (data-commit), is sent by Ctrl+Enter and by its button. What was
// sent may be final, so Enter in a field or on a choice, by which a browser sends a form as well, does nothing there;
// in a form of settings (data-ctrl-enter="or-enter") it sends.
const NOT_BY_ENTER = 'form:is([data-commit], [data-ctrl-enter]:not([data-ctrl-enter="or-enter"]))';
const FIELDS = "input:not([type=submit], [type=button], [type=file])";
const SENDING = navigator.platform.includes("Mac") ? `${FIELDS}, select` : FIELDS; // elsewhere it opens a list
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || !event.target.matches(SENDING)) return;
  if (/** @type {HTMLInputElement} */ (event.target).form?.matches(NOT_BY_ENTER)) event.preventDefault();
});

// Ctrl+Enter sends the form with data-ctrl-enter in which the focus is, else the first one, unless that is sent from
// "inside" only; from text fields of other forms only while they are empty. One in a dialog is sent while that is open.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  const dialog = document.querySelector("dialog[open]");
  const forms = [...(dialog ?? document).querySelectorAll("form[data-ctrl-enter]")];
  const { form: written, value } = /** @type {HTMLInputElement} */ (event.target);
  const first = forms.find((one) => one.dataset.ctrlEnter !== "inside" && (dialog || !one.closest("dialog")));
  const form = forms.find((one) => one === written) ?? first;
  const other = written && written !== form && value && event.target.matches("input, textarea, select");
  if (!form || other) return;
  event.preventDefault();
  if (!sent.has(form)) form.requestSubmit();
});

// Buttons and links of a page without a work screen carry their key in data-key, and another one in data-key-too.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
  if (document.querySelector("[data-screen]")) return;
  if (event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]")) return;
  if (read("goldfinch:single-keys") === "off") return;
  const key = CSS.escape(event.key.toLowerCase());
  const button = document.querySelector(`[data-key="${key}"], [data-key-too="${key}"]`);
  if (button) {
    event.preventDefault();
    if (!button.matches("[type=submit]") || !sent.has(button.closest("form"))) button.click();
  }
});

// Links that show something in a frame: the one that was followed last is the current one.
for (const link of document.querySelectorAll("a[data-shown-in]")) {
  link.addEventListener("click", () => {
    for (const other of document.querySelectorAll(`a[data-shown-in="${CSS.escape(link.dataset.shownIn)}"]`)) {
      other.toggleAttribute("aria-current", false);
    }
    link.setAttribute("aria-current", "true");
  });
}

// A page that says what was just done begins there by keyboard, and is read out from there, unless it has a field or a
// place to begin at.
const begins = [...document.querySelectorAll("main [autofocus]")].some((one) => !one.closest("[popover]"));
if (!begins && !location.hash) /** @type {HTMLElement} */ (document.querySelector("[data-done]"))?.focus();

// On narrow screens the tabs scroll: the one of this page is in view.
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
