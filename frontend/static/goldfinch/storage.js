// localStorage: theme, keys, unsent drafts. Storage may be full or disabled, so nothing here throws.

const DRAFT = "goldfinch:draft:";
const OUTBOX = "goldfinch:outbox:";
const VIEW = "goldfinch:view:";
const CHAT = "goldfinch:chat:";

export function read(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

export function write(key, value) {
  try { localStorage.setItem(key, value); } catch { /* the server's copy is the one that counts */ }
}

export function erase(key) {
  try { localStorage.removeItem(key); } catch { /* nothing was kept */ }
}

// On a shared computer no draft is stored here, not even until the server has acknowledged it.
export const shared = () => read("goldfinch:shared") === "1";

// Each page load has its own key, so that none overwrites another's copy.
export const draftKey = (work, stage, client) => `${DRAFT}${work}:${stage}:${client}`;

// The position at a stage. Not part of an answer, so it is stored on a shared computer too, until they sign out.
export const viewKey = (work, stage) => `${VIEW}${work}:${stage}`;

export function keepView(key, view) { write(key, JSON.stringify(view)); }

export const outboxKey = (work, submission) => `${OUTBOX}${work}:${submission}`;

// How far the side chat was read, and whether it is open; stored on a shared computer too, until they sign out.
export const chatKey = (work) => `${CHAT}${work}`;

// What was typed into it and not sent or not acknowledged yet.
export const typedKey = (work) => `${CHAT}${work}:typed`;

export function keep(key, value) {
  if (!shared()) write(key, JSON.stringify(value));
}

export function kept(key) {
  try { return JSON.parse(read(key)); } catch { return null; }
}

export function forgetDrafts() {
  try {
    const ours = (key) => [DRAFT, OUTBOX, VIEW, CHAT].some((start) => key.startsWith(start));
    for (const key of Object.keys(localStorage).filter(ours)) localStorage.removeItem(key);
  } catch { /* nothing was kept */ }
}

// [key, entry] of the unsent entries that match all of `wanted`, newest first.
function all(start, wanted) {
  try {
    const found = Object.keys(localStorage).filter((key) => key.startsWith(start)).map((key) => [key, kept(key)]);
    const fits = (entry) => entry && Object.entries(wanted).every(([name, value]) => entry[name] === value);
    return found.filter(([, entry]) => fits(entry)).toSorted(([, a], [, b]) => b.at - a.at);
  } catch { return []; }
}

export const drafts = (wanted) => all(DRAFT, wanted);
export const answers = (wanted) => all(OUTBOX, wanted);
