// Parts of a page that follow what happens in the background, and forms that are sent when a choice changes.
// An element with an id and data-refresh is fetched anew every second; when it no longer asks for that, so is the rest.
import { get, pageOf } from "./fetching.js";
import { setTimeout } from "./settled.js";
const EVERY = 1000;

/** @param {string} url */
async function fetched(url) {
  const answer = await get(url);
  if (!answer?.ok || answer.redirected) throw new Error(String(answer?.status));
  return pageOf(await answer.text());
}

/** @param {string} id @param {Document} page */
function replace(id, page) {
  const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
  if (!old || !fresh) return false;
  if (old.innerHTML !== fresh.innerHTML) old.innerHTML = fresh.innerHTML;
  return fresh.hasAttribute("data-refresh");
}

async function refresh() {
  const part = document.querySelector("[data-refresh]");
  if (!part) return;
  // Whoever is about to press a button in it is not disturbed.
  if (!document.hidden && !part.contains(document.activeElement)) {
    try {
      const page = await fetched(location.href);
      if (!replace(part.id, page)) {
        document.getElementById("main").innerHTML = page.getElementById("main").innerHTML;
        listen();
      }
    } catch {
      // The next try is in a second.
    }
  }
  setTimeout(refresh, EVERY);
}

let sent = 0;

/** @param {HTMLFormElement} form */
async function send(form) {
  const number = ++sent;
  const fields = /** @type {[string, string][]} */ ([...new FormData(form)]);
  const url = `${form.action}?${new URLSearchParams(fields)}`;
  try {
    const page = await fetched(url);
    if (number !== sent) return;
    history.replaceState(null, "", url);
    const preview = document.getElementById("preview");
    const fresh = page.getElementById("preview");
    preview.innerHTML = fresh.innerHTML;
    preview.toggleAttribute("data-refresh", fresh.hasAttribute("data-refresh"));
  } catch {
    form.submit();
  }
}

function listen() {
  for (const form of document.querySelectorAll("form[data-send-on-change]")) {
    form.addEventListener("change", () => send(form));
  }
}

listen();
setTimeout(refresh, EVERY);
