// What this browser remembers: theme, keys, unsent drafts. Storage may be full or switched off, so nothing here throws.

const DRAFT = "goldfinch:draft:";

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

export function keepDraft(key, draft) {
  if (!shared()) write(key, JSON.stringify(draft));
}

export function keptDraft(key) {
  try { return JSON.parse(read(key)); } catch { return null; }
}

export function forgetDrafts() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(DRAFT)) localStorage.removeItem(key);
  } catch { /* nothing was kept */ }
}
