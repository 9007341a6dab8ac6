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

export const draftKey = (work, stage) => `${DRAFT}${work}:${stage}`;

// Where a person was on the page of a stage: no answer, so it stays on a shared computer too, until they sign out.
export const viewKey = (work, stage) => `${VIEW}${work}:${stage}`;

export function keepView(key, view) { write(key, JSON.stringify(view)); }

export const outboxKey = (work) => `${OUTBOX}${work}`;

export function keep(key, value) {
  if (!shared()) write(key, JSON.stringify(value));
}

export function kept(key) {
  try { return JSON.parse(read(key)); } catch { return null; }
}

export function forgetDrafts() {
  try {
    for (const key of Object.keys(localStorage)) if ([DRAFT, OUTBOX, VIEW].some((start) => key.startsWith(start))) localStorage.removeItem(key);
  } catch { /* nothing was kept */ }
}

// Work of this person whose answer waits to be sent: [key, address] of each.
export function unsent(user) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(OUTBOX)).map((key) => [key, kept(key)]).filter(([, entry]) => entry?.user === user).map(([key, entry]) => [key, entry.url]);
  } catch { return []; }
}
