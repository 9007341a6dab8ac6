// A page for a test: a DOM, a clock that stands until the test moves it, and a server that answers when told to.
import assert from "node:assert/strict";
import FakeTimers from "@sinonjs/fake-timers";
import { JSDOM, VirtualConsole } from "jsdom";

const NOW = Date.UTC(2026, 2, 1, 12);
const GLOBALS = [
  "AbortController", "AbortSignal", "CustomEvent", "DOMParser", "Element", "Event", "FormData", "HTMLElement",
  "HTMLInputElement", "InputEvent", "KeyboardEvent", "MouseEvent", "MutationObserver", "Node", "NodeFilter", "Range",
  "Text", "document", "getComputedStyle", "localStorage", "sessionStorage",
];

let fresh = 0;

// Show a page with this body. Returns { window, document, clock, server, moved, load }: `clock` is a fake-timers clock,
// `moved` the addresses that the page went to ("reload" for itself), `load(path)` imports /static/… anew. `random` is
// what Math.random gives.
export function openPage(body, { url = "http://goldfinch.test/work/7/", random = 0 } = {}) {
  const html = `<!doctype html><html lang="en"><body>${body}</body></html>`;
  const virtualConsole = new VirtualConsole();
  // An error of a listener, which a browser would only write to its console, is the test's.
  virtualConsole.on("jsdomError", (error) => { throw error.detail ?? error; });
  const { window } = new JSDOM(html, { url, pretendToBeVisual: true, virtualConsole });
  fill(window);
  for (const name of GLOBALS) define(name, window[name]);
  define("window", window);
  define("addEventListener", window.addEventListener.bind(window));
  define("navigator", { platform: "Linux" });
  define("getSelection", () => window.getSelection());
  define("CSS", { escape: (text) => text.replace(/[^\w-]/g, "\\$&") });
  define("matchMedia", () => ({ matches: false, addEventListener() {} }));
  define("ResizeObserver", class { observe() {} disconnect() {} });
  define("innerHeight", 800);
  define("scrollTo", () => {});
  const moved = [];
  define("location", { href: url, assign: (to) => moved.push(to), reload: () => moved.push("reload") });
  define("requestAnimationFrame", (run) => setTimeout(run, 16));
  clock?.uninstall();
  clock = FakeTimers.withGlobal(globalThis).install({
    now: NOW, toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
  Math.random = () => random;
  const server = new Server();
  define("fetch", (address, options) => server.receive(address, options));
  fresh += 1;
  const page = fresh;
  return {
    window, document: window.document, clock, server, moved,
    load: (path) => import(`/static/${path}?fresh=${page}`),
  };
}

let clock = null;

function define(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

// What jsdom does not have: dialogs that open, and open popovers, which have the attribute `shown` here.
function fill({ Document, DocumentFragment, Element, HTMLDialogElement, HTMLElement, Range }) {
  Range.prototype.getClientRects ??= () => [];
  Range.prototype.getBoundingClientRect ??= () => ({ left: 0, right: 0, top: 0, bottom: 0 });
  HTMLDialogElement.prototype.showModal = function showModal() { this.open = true; };
  HTMLDialogElement.prototype.close = function close() { this.open = false; };
  HTMLElement.prototype.scrollIntoView = () => {};
  Element.prototype.checkVisibility ??= () => true;
  for (const { prototype } of [Document, DocumentFragment, Element]) {
    for (const name of ["querySelector", "querySelectorAll", "matches", "closest"]) {
      const find = prototype[name];
      const known = (selectors) => selectors.replace(":popover-open", "[shown]");
      if (find) prototype[name] = function found(selectors) { return find.call(this, known(selectors)); };
    }
  }
}

// The requests of a page, in order. Each waits for `answer` or `fail`.
class Server {
  all = [];

  receive(address, { method = "GET", body = null, headers = {}, keepalive = false, signal = null } = {}) {
    return new Promise((resolve, reject) => {
      const request = {
        path: new URL(address, "http://goldfinch.test").pathname, address, method, headers, keepalive, signal,
        fields: body ? Object.fromEntries(body) : {}, open: true,
      };
      const end = (run) => async (...values) => {
        request.open = false;
        run(...values);
        await clock.tickAsync(0); // until the page has done what follows
      };
      request.answer = end((text = "", init = {}) => {
        const content = typeof text === "string" ? text : JSON.stringify(text);
        resolve(new Response([204, 304].includes(init.status) ? null : content, init));
      });
      request.fail = end(() => reject(new TypeError("Failed to fetch")));
      signal?.addEventListener("abort", () => {
        request.open = false;
        reject(Object.assign(new Error("aborted"), { name: "AbortError" }));
      });
      this.all.push(request);
    });
  }

  // The requests to addresses that end like this.
  to(end) { return this.all.filter(({ path }) => path.endsWith(end)); }

  // The one that waits for an answer; there must be exactly one.
  waiting(end) { return onlyOpen(this.to(end)); }
}

export function onlyOpen(requests) {
  const open = requests.filter((request) => request.open);
  assert.equal(open.length, 1, `${open.length} requests wait for an answer`);
  return open[0];
}

// Press a key where the focus is. Returns false if the page prevented what the browser does with it.
export function press(key, how = {}) {
  const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key;
  return document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true, ...how }),
  );
}

// Hide the page or bring it back, as changing the tab does.
export function hide(hidden) {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}
