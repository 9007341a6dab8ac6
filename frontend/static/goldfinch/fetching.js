// Requests to our server: with the token that POSTs need, without an exception for a lost connection, one at a time,
// and again after a while.
import { isLeaving, leaves } from "./leaving.js";
import { fetch } from "./settled.js";

const OURS = { "X-Requested-With": "fetch" };
const LONGEST = 30_000; // ms

// The CSRF token. Signing in again rotates it, so the cookie's is newer than the form's.
/** @param {ParentNode} root */
export function token(root) {
  const cookie = document.cookie.split("; ").find((one) => /^(__Host-|__Secure-)?csrftoken=/.test(one));
  return cookie ? cookie.slice(cookie.indexOf("=") + 1) : root.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
}

/** @typedef {{ headers?: Record<string, string>, signal?: AbortSignal, keepalive?: boolean, root?: ParentNode }} How */

// The answer; null without a connection, or if it was aborted.
/** @param {string} url @param {How} [how] */
export function get(url, { headers = {}, signal } = {}) {
  return fetch(url, { headers: { ...OURS, ...headers }, signal }).catch(() => null);
}

// POST these fields with the token, which is that of `root` if no cookie has it. The answer as from `get`.
/** @param {string} url @param {FormData | Record<string, unknown>} fields @param {How} [how] */
export function post(url, fields, { headers = {}, signal, keepalive, root = document } = {}) {
  const body = fields instanceof FormData ? fields : new FormData();
  if (body !== fields) for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  body.set("csrfmiddlewaretoken", token(root));
  return fetch(url, { method: "POST", body, headers: { ...OURS, ...headers }, signal, keepalive }).catch(() => null);
}

/** @param {string} html */
export const pageOf = (html) => new DOMParser().parseFromString(html, "text/html");

/** @param {string} html */
export const fragmentOf = (html) => document.createRange().createContextualFragment(html);

// Go to this address, or load this page again, since an answer said so. While the page leaves it does not: it is on its
// way to where its person has sent it. Nor does a poll begin the same anew, which asks for it again and again: on a
// slow connection the navigation would never end.
/** @param {string} [url] */
export function goTo(url) {
  if (isLeaving()) return;
  leaves();
  if (url) location.assign(url); else location.reload();
}

// Milliseconds until the next try after so many that failed: twice as many each time, and not all browsers at once.
/** @param {number} tries */
export const pause = (tries, first = 1000) => Math.min(LONGEST, first * 2 ** tries) * (0.5 + Math.random() / 2);

// Does its work once at a time: if it is asked for meanwhile, once more afterwards, since what is under way may be from
// before.
export class OneAtATime {
  #work; #again = false;
  isUnderWay = false;

  get isWantedAgain() { return this.#again; }

  /** @param {() => Promise<unknown>} work */
  constructor(work) { this.#work = work; }

  async ask() {
    this.#again = this.isUnderWay;
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    try {
      await this.#work();
    } finally {
      this.isUnderWay = false;
      if (this.#again) this.ask();
    }
  }
}
