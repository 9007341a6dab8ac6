// What the numbers of a new project will take, beside them: the server is asked again while they are typed.
import { OneAtATime, fragmentOf, post } from "./fetching.js";
import { clearTimeout, setTimeout } from "./settled.js";

const AFTER = 300; // ms without a further key
const form = /** @type {HTMLFormElement} */ (document.getElementById("step"));
const place = document.querySelector("[data-estimate]");

if (form && place instanceof HTMLElement) {
  const asking = new OneAtATime(async () => {
    const answer = await post(place.dataset.estimate, new FormData(form), { root: form });
    if (answer?.ok && !answer.redirected) place.replaceChildren(fragmentOf(await answer.text()));
  });
  /** @type {number | null} */
  let timer = null;
  // Fields outside the form that belong to it are among its elements, but what happens in them doesn't reach it.
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLElement) || /** @type {HTMLInputElement} */ (target).form !== form) return;
    clearTimeout(timer);
    timer = setTimeout(() => asking.ask(), AFTER);
  });
  document.querySelector("[data-reckon]")?.remove();
}
