// Every page: theme switch, signing out, the password's eye, and the keys printed on buttons of the home page.
import { isDark } from "./colours.js";
import { erase, forgetDrafts, shared, unsent, write } from "./storage.js";

const root = document.documentElement;

function switchTheme() {
  root.dataset.theme = isDark() ? "light" : "dark";
  write("goldfinch:theme", root.dataset.theme);
  document.dispatchEvent(new CustomEvent("goldfinch:theme"));
}

function reveal(button) {
  const field = document.getElementById(button.dataset.reveal);
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
  if (event.target.matches("[data-forget-drafts]")) forgetDrafts();
});

for (const box of document.querySelectorAll("[data-shared-computer]")) {
  box.checked = shared();
  box.addEventListener("change", () => {
    if (!box.checked) return erase("goldfinch:shared");
    forgetDrafts();
    write("goldfinch:shared", "1");
  });
}

// An answer that could not be sent waits on this device: its page sends it. Work that is closed is led away from.
async function showUnsent(line) {
  for (const [key, url] of unsent(line.dataset.unsent)) {
    const answer = await fetch(url, { redirect: "manual" }).catch(() => null);
    if (answer?.type === "opaqueredirect" || [404, 410].includes(answer?.status)) erase(key);
    else {
      line.hidden = false;
      line.querySelector("a").href = url;
    }
  }
}
for (const line of document.querySelectorAll("[data-unsent]")) showUnsent(line);

// Buttons of a page without a work screen carry their key in data-key.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("[data-screen]")) return;
  if (event.target.matches("input, textarea, select, [contenteditable]")) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (button) {
    event.preventDefault();
    button.click();
  }
});
