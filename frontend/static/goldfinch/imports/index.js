// The import form: uploads the chosen files one after the other, shows how far it is, and then sends itself.
import { make, Voice } from "../say.js";
import { Stopped, Upload } from "./upload.js";
/** @import { Told } from "./upload.js" */

const WINDOW = 15_000; // ms over which the speed is measured
/** @type {[unit: string, bytes: number][]} */
const UNITS = [["gigabyte", 2 ** 30], ["megabyte", 2 ** 20], ["kilobyte", 2 ** 10]];
const EVERY = 10_000; // ms between two announcements to screen readers

const form = document.querySelector("form[data-upload]");
/** @param {string} name */
const find = (name) => form.querySelector(`[data-${name}]`);
const voice = new Voice(form);
const lang = document.documentElement.lang || undefined;
const bar = form.querySelector("progress");
/** @type {[Upload | null, string, [at: number, done: number][], number]} */
let [upload, name, measured, announced] = [null, "", [], 0];

// 1.25 GB, 51.2 MB, 40 kB; as the server counts them in its pages.
/** @param {number} bytes */
function size(bytes) {
  const [unit, by] = UNITS.find(([, least]) => bytes >= least) ?? UNITS.at(-1);
  const maximumFractionDigits = unit === "gigabyte" ? 2 : 1;
  return new Intl.NumberFormat(lang, { style: "unit", unit, maximumFractionDigits }).format(bytes / by);
}

/** @param {string} text @param {string} [kind] @param {...Node} more */
function notice(text, kind = "gold", ...more) {
  const line = make("div", { class: `alert ${kind}` }, make("div", {}, text), ...more);
  find("notice").replaceChildren(...(text ? [line] : []));
}

/** @param {number} done @param {number} total */
function timeLeft(done, total) {
  const now = performance.now();
  measured = [...measured.filter(([at]) => now - at < WINDOW), [now, done]];
  const [[since, from]] = measured;
  const rate = (done - from) / ((now - since) / 1000);
  if (now - since < 1000 || rate <= 0) return voice.text("measuring");
  const seconds = Math.max(1, Math.round((total - done) / rate));
  const n = seconds < 90 ? seconds : Math.round(seconds / 60);
  return voice.text(seconds < 90 ? "left-seconds" : "left-minutes", { n, rate: size(rate) });
}

/** @param {Told} told */
function told({ phase, done, total }) {
  if (["goes-on", "another-file", "no-connection"].includes(phase)) {
    measured = [];
    notice(voice.text(phase), phase === "goes-on" ? "blue" : "gold");
    return;
  }
  if (phase === "uploading" && find("notice").textContent === voice.text("no-connection")) notice("");
  find("doing").textContent = voice.text(phase, { name });
  find("done").textContent = voice.text("of", { done: size(done), total: size(total) });
  find("left").textContent = phase === "uploading" ? timeLeft(done, total) : "";
  [bar.max, bar.value] = [total, done];
  bar.setAttribute("aria-label", find("doing").textContent);
  if (performance.now() - announced < EVERY) return;
  announced = performance.now();
  voice.live(`${find("done").textContent}, ${find("left").textContent}`);
}

/** @param {boolean} is */
function paused(is) {
  find("pause").hidden = is;
  find("resume").hidden = !is;
  (is ? find("resume") : find("pause")).focus();
}

/** @param {unknown} error */
function stopped(error) {
  if (!(error instanceof Stopped)) throw error;
  const signIn = { class: "btn", target: "_blank", href: form.dataset.signIn };
  const more = error.why === "signed-out" ? [make("a", signIn, voice.text("sign-in"))] : [];
  notice(error.why ? voice.text(error.why) : error.message, "bad", ...more);
  find("left").textContent = "";
  if (["over", "unreadable"].includes(error.why) || error.wants === "another") return choosesAgain();
  return paused(true);
}

// Going on would not help: only another file, or the same one chosen anew.
function choosesAgain() {
  upload = null;
  bar.hidden = true;
  find("doing").textContent = "";
  shows(false);
  form.querySelector("[data-file]").focus();
}

/** @param {boolean} uploading */
function shows(uploading) {
  form.querySelector("fieldset[data-fields]").disabled = uploading;
  find("progress").hidden = !uploading && !find("notice").hasChildNodes();
  find("begins").hidden = uploading;
  find("controls").hidden = !uploading;
  for (const section of document.querySelectorAll("[data-uploads]")) section.hidden = uploading;
}

// Upload what has been chosen, from where it was; resolves to whether all of it has arrived.
async function uploaded() {
  for (const field of form.querySelectorAll("input[data-file]")) {
    const [file] = field.files;
    const hidden = form.elements.namedItem(field.dataset.file);
    if (!file || hidden.value) continue;
    const options = { begin: form.dataset.begin, longestPart: Number(form.dataset.longestPart) };
    measured = [];
    name = file.name;
    upload = new Upload(file, form, { ...options, tell: told });
    try {
      hidden.value = await upload.send();
    } catch (error) {
      if (error.why !== "cancelled") stopped(error);
      return false;
    }
  }
  return true;
}

async function run() {
  if (!await uploaded()) return;
  upload = null;
  find("doing").textContent = voice.text("whole");
  form.querySelector("fieldset[data-fields]").disabled = false;
  form.submit();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (upload) return;
  form.elements.mode.value = /** @type {HTMLButtonElement | null} */ (event.submitter)?.value || "all";
  for (const each of ["file", "beside"]) form.elements.namedItem(each).value = "";
  notice("");
  bar.hidden = false;
  shows(true);
  paused(false);
  run();
});

find("pause").addEventListener("click", () => {
  upload?.pause();
  find("left").textContent = "";
  find("doing").textContent = voice.text("paused", { name });
  paused(true);
});

find("resume").addEventListener("click", () => {
  notice("");
  paused(false);
  measured = [];
  if (upload?.isPaused) upload.resume();
  else run();
});

find("cancel").addEventListener("click", async () => {
  const gone = upload;
  upload = null;
  await gone?.cancel().catch(() => null);
  location.reload();
});

for (const button of find("begins").querySelectorAll("button")) button.disabled = false;

addEventListener("beforeunload", (event) => { if (upload && !upload.isPaused) event.preventDefault(); });
