// The page of an exam: what is chosen is kept at once, and handed in when the time is over.
import { watchTheTime } from "./exam_clock.js";
import { OneAtATime, post } from "./fetching.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-exam]"));

// One save after another, so that what was chosen last arrives last.
const saving = new OneAtATime(() => post(form.dataset.draft, new FormData(form)));
form.addEventListener("change", () => { saving.ask(); });

watchTheTime(() => {
  form.action = form.dataset.handIn;
  form.submit();
});
