// What this browser remembers: theme, keys, unsent drafts. Storage may be full or switched off, so nothing here throws.

const DRAFT = "goldfinch:draft:";
const OUTBOX = "goldfinch:outbox:";
const VIEW = "goldfinch:view:";

export function read(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

export function write(key, value) {
  try { localStorage.setItem(key, value); } catch { /* the server's copy is the one that counts */ }
}

export function erase(key) {
  try { localStorage.removeItem(key); } catch { /* nothing was kept */ }
}

// On a shared computer no draft stays here, not even until it is acknowledged.
export const shared = () => read("goldfinch:shared") === "1";

// Each page load keeps its own copy, so that none ever writes over what another one kept.
export const draftKey = (work, stage, client) => `${DRAFT}${work}:${stage}:${client}`;

// Where a person was on the page of a stage: no answer, so it stays on a shared computer too, until they sign out.
export const viewKey = (work, stage) => `${VIEW}${work}:${stage}`;

export function keepView(key, view) { write(key, JSON.stringify(view)); }

export const outboxKey = (work, submission) => `${OUTBOX}${work}:${submission}`;

export function keep(key, value) {
  if (!shared()) write(key, JSON.stringify(value));
}

export function kept(key) {
  try { return JSON.parse(read(key)); } catch { return null; }
}

export function forgetDrafts() {
  try {
    const ours = (key) => [DRAFT, OUTBOX, VIEW].some((start) => key.startsWith(start));
    for (const key of Object.keys(localStorage).filter(ours)) localStorage.removeItem(key);
  } catch { /* nothing was kept */ }
}

// What was kept and not sent, where all of `wanted` holds of it: [key, entry] of each, the newest first.
function all(start, wanted) {
  try {
    const found = Object.keys(localStorage).filter((key) => key.startsWith(start)).map((key) => [key, kept(key)]);
    const fits = (entry) => entry && Object.entries(wanted).every(([name, value]) => entry[name] === value);
    return found.filter(([, entry]) => fits(entry)).toSorted(([, a], [, b]) => b.at - a.at);
  } catch { return []; }
}

export const drafts = (wanted) => all(DRAFT, wanted);
export const answers = (wanted) => all(OUTBOX, wanted);
