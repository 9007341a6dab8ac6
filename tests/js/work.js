// The page of a piece of work with one text box, as frontend/templates/work/base.html makes it, started by work.js.
import { setTimeout as rest } from "node:timers/promises";
import { onlyOpen, openPage } from "./page.js";

const SENTENCES = {
  saved: "Saved {at}", saving: "Saving…", "not-saved": "Not saved, trying again",
  "not-saved-signed-out": "Not saved: signed out", "too-long": "Too long to save.",
  restored: "Restored from {at}", "restored-here": "Restored from this device, {at}",
  "ending.one": "{n} minute left", "ending.other": "{n} minutes left", ended: "The time has ended.",
  "keep-working": "Keep working", "kept-working": "You have the full time again",
  "not-connected": "Not connected.", connected: "Connected again", "signed-out": "You were signed out.",
  "sign-in": "Sign in again", elsewhere: "That one counts now.", "take-back": "Take back", over: "Closed elsewhere.",
  "over-submitted": "Sent elsewhere.", "go-on": "Go on", "not-sent": "Not sent.", "went-wrong": "Went wrong.",
  "send-again": "Send again", "kept-here": "Not sent: kept here.", "kept-show": "Show it",
  unread: "Not looked at yet.", "key-commit": "send", "key-undo": "undo", "key-keys": "keys",
};
const ATTRIBUTES = {
  work: "7", user: "ada", stage: "question", client: "page-b", after: "page-a", seq: "0", "draft-client": "",
  "expires-in": "1200", "url-stage": "/work/7/question/", "url-draft": "/work/7/draft/", "url-kept": "/work/7/kept/",
  "url-renew": "/work/7/renew/", "url-take": "/work/7/take/", "url-work": "/work/7/", "url-now": "/work/7/now/",
};
const SIGN_IN = `
  <dialog id="sign-in">
    <form action="/login/">
      <p data-sign-in-refused hidden>
        <b data-sign-in-wrong></b><b data-sign-in-wrong-code></b><b data-sign-in-wait><i data-how-long></i></b>
      </p>
      <input name="username">
      <div data-sign-in-password><input name="password"></div>
      <div data-sign-in-code><input name="code"></div>
    </form>
  </dialog>`;

const FIELDS = `
  <textarea name="text"></textarea>
  <input type="checkbox" name="reasons" value="dull">
  <input type="checkbox" name="reasons" value="long">`;

// The HTML of the screen; `attributes` are its data, `draft` is the server's, `inside` more of its material, `fields`
// those of its form, `beside` what stands beside it, `sentences` more of what it says.
export function workScreen({
  attributes = {}, draft = null, inside = "", fields = FIELDS, beside = "", sentences = {},
} = {}) {
  const data = { ...ATTRIBUTES, ...attributes };
  const said = Object.entries(data).map(([name, value]) => `data-${name}="${value}"`).join(" ");
  const words = Object.entries({ ...SENTENCES, ...sentences })
    .map(([key, sentence]) => `<i data-k="${key}">${sentence}</i>`).join("");
  return `
    <div id="screen" data-screen ${said}>
      <header class="topbar">
        <span class="saved" hidden><span data-saved></span></span>
      </header>
      <div data-notices></div>
      <main>
        <div id="material" class="material" tabindex="0">${inside}</div>
        <form id="answer" data-commit>
          <input type="hidden" name="csrfmiddlewaretoken" value="token">
          <input type="hidden" name="submission_key" value="key-1">
          <input type="hidden" name="seen" value="3">
          <input type="hidden" name="client" value="page-b">
          <input type="hidden" name="after" value="page-a">
          <input type="hidden" name="base" value="${data.seq}">
          ${fields}
          <div data-problems></div>
          <button type="submit">Send</button>
        </form>
        ${beside}
      </main>
      <div data-live></div>
      ${SIGN_IN}
      <dialog id="keys"><dl data-keymap></dl></dialog>
      <template data-say>${words}</template>
      ${draft ? `<template data-json id="draft">${JSON.stringify(draft)}</template>` : ""}
    </div>
    <div data-toasts></div>`;
}

// Open it and start its scripts. `taken`: the answer to its taking over, null to leave that unanswered; `kept` is what
// this device has in its storage. Returns what `openPage` does, and:
// `box`, `type(text)` into it, `drafts()` the requests that save, `save()` the one that waits for an answer, `status()`
// what is said about it, `copies()` the keys of those on this device, `spoken()` and `notice(name)` what is said, and
// `sent`, with what htmx tells while it sends the form.
export async function openWork({ taken = { seen: 3, expires_in: 1200 }, kept = {}, random = 0, ...screen } = {}) {
  const page = openPage(workScreen(screen), { random });
  const { document, clock, server } = page;
  for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
  document.addEventListener("submit", (event) => event.preventDefault()); // htmx sends it
  await page.load("goldfinch/work.js");
  await clock.tickAsync(0);
  const root = document.querySelector("[data-screen]");
  for (let n = 0; n < 1000 && !("started" in root.dataset); n += 1) await rest(2); // a stage's script is read
  if (taken) await server.waiting("/take/").answer(taken);
  const form = document.querySelector("form[data-commit]");
  const box = form.elements.namedItem("text");
  const htmx = (name, detail) => {
    const all = { elt: form, requestConfig: { elt: form }, ...detail };
    document.dispatchEvent(new CustomEvent(`htmx:${name}`, { detail: all }));
  };
  const answered = (status) => ({ xhr: { status, getResponseHeader: () => null }, successful: status === 200 });
  const drafts = () => server.to("/draft/").filter(({ fields }) => "data" in fields); // others bring traces only
  return {
    ...page, form, box,
    status: () => document.querySelector("[data-saved]").textContent,
    spoken: () => document.querySelector("[data-live]").textContent,
    notice: (name) => document.querySelector(`[data-notice="${name}"]`),
    type(text) {
      box.value = text;
      box.dispatchEvent(new Event("input", { bubbles: true }));
    },
    drafts, save: () => onlyOpen(drafts()),
    copies: () => Object.keys(localStorage).filter((key) => key.startsWith("goldfinch:draft:")),
    sent: {
      begins: () => htmx("beforeRequest"),
      arrives: () => htmx("afterRequest", answered(200)),
      fails: (status = 0) => htmx("afterRequest", answered(status)),
    },
  };
}
