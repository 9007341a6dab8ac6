// localStorage: theme, keys, unsent drafts. Storage may be full or disabled, so nothing here throws.
/** @import { KeptView } from "./place.js" */
/** @import { DraftData } from "./drafts.js" */

/**
 * A draft or an answer as it is kept here, with the versions of the work that it was based on.
 * @typedef {{ user: string, work: string, stage: string, url: string, door: string, client: string, seq: number,
 *   base: number, seen: number, at: number, data: DraftData, submission_key?: string }} LocalCopy
 */
/** @typedef {[key: string, copy: LocalCopy]} Entry */

const DRAFT = "goldfinch:draft:";
const OUTBOX = "goldfinch:outbox:";
const VIEW = "goldfinch:view:";
const CHAT = "goldfinch:chat:";
const FORM = "goldfinch:form:";

/** @param {string} key */
export function read(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

/** @param {string} key @param {string} value */
export function write(key, value) {
  try { localStorage.setItem(key, value); } catch { /* the server's copy is the one that counts */ }
}

/** @param {string} key */
export function erase(key) {
  try { localStorage.removeItem(key); } catch { /* nothing was kept */ }
}

// On a shared computer no draft is stored here, not even until the server has acknowledged it.
export const shared = () => read("goldfinch:shared") === "1";

// Each page load has its own key, so that none overwrites another's copy.
/** @param {string} work @param {string} stage @param {string} client */
export const draftKey = (work, stage, client) => `${DRAFT}${work}:${stage}:${client}`;

// The position at a stage. Not part of an answer, so it is stored on a shared computer too, until they sign out.
/** @param {string} work @param {string} stage */
export const viewKey = (work, stage) => `${VIEW}${work}:${stage}`;

/** @param {string} key @param {KeptView} view */
export function keepView(key, view) { write(key, JSON.stringify(view)); }

/** @param {string} work @param {string} submission */
export const outboxKey = (work, submission) => `${OUTBOX}${work}:${submission}`;

// How far the side chat was read, and whether it is open; stored on a shared computer too, until they sign out.
/** @param {string} work */
export const chatKey = (work) => `${CHAT}${work}`;

// What was typed into it and not sent or not acknowledged yet.
/** @param {string} work */
export const typedKey = (work) => `${CHAT}${work}:typed`;

// What was written into a form of a page without a work screen, and not sent.
/** @param {string} form */
export const formKey = (form) => `${FORM}${form}`;

/** @param {string} key @param {unknown} value */
export function keep(key, value) {
  if (!shared()) write(key, JSON.stringify(value));
}

/** @param {string} key */
export function kept(key) {
  try { return JSON.parse(read(key)); } catch { return null; }
}

export function forgetDrafts() {
  try {
    /** @param {string} key */
    const ours = (key) => [DRAFT, OUTBOX, VIEW, CHAT, FORM].some((start) => key.startsWith(start));
    for (const key of Object.keys(localStorage).filter(ours)) localStorage.removeItem(key);
  } catch { /* nothing was kept */ }
}

/** @param {string} key @returns {Entry} */
const entryOf = (key) => [key, kept(key)];

// [key, entry] of the unsent entries that match all of `wanted`, newest first.
/** @param {string} start @param {Partial<LocalCopy>} wanted @returns {Entry[]} */
function all(start, wanted) {
  try {
    const found = Object.keys(localStorage).filter((key) => key.startsWith(start)).map(entryOf);
      const names = /** @type {(keyof LocalCopy)[]} */ (Object.keys(wanted));
    /** @param {LocalCopy | null} entry */
    const fits = (entry) => entry && names.every((name) => entry[name] === wanted[name]);
    return found.filter(([, entry]) => fits(entry)).toSorted(([, a], [, b]) => b.at - a.at);
  } catch { return []; }
}

/** @param {Partial<LocalCopy>} wanted */
export const drafts = (wanted) => all(DRAFT, wanted);
/** @param {Partial<LocalCopy>} wanted */
export const answers = (wanted) => all(OUTBOX, wanted);
