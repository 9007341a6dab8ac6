// Pages of stages, with as much of their templates as their scripts need, started by work.js.
import { boundaries } from "./cutting.js";
import { press } from "./page.js";
import { openWork } from "./work.js";

const BAR = `
  <section data-pending-bar hidden>
    <p data-ask hidden><span data-ask-words></span></p><p data-passed hidden><span data-passed-words></span>
      <button type="button" data-span-add-all></button></p><q data-pending-words></q><i data-pending-count></i>
    <button type="button" data-span-add><span data-span-add-label></span></button>
  </section>`;

// What templates/work/spans/_field.html has.
const marking = (name, value = "") => `
  <input type="hidden" name="${name}" value="${value}">
  <ol data-spans></ol><p data-pending-chip hidden><q></q><span class="count"></span></p><p data-no-spans></p>
  <button type="button" data-select></button><button type="button" data-say-sentence></button>
  <input data-quote><button type="button" data-find-quote></button><div data-matches></div>`;

const radios = (name, ...values) => values
  .map((value) => `<input type="radio" name="${name}" value="${value}">`).join("");

// The value of a field of marked words.
function spanOf(text, words) {
  const start = text.indexOf(words);
  const found = [{ passage: 0, start, end: start + words.length, quote: words }];
  return words ? JSON.stringify(found).replaceAll('"', "&quot;") : "";
}

// Open a stage's page with its script. Returns what `openWork` does, and: `field(name)`, `write(name, text)` and
// `choose(name, value)` as by hand, `mark(words)` drags over words of the text and presses Enter, `leave()` the field
// as Esc does, `added()` the words of the list, `marked(name)` those of a field, with the ones that are only being
// marked, `problem()` what is said to be wrong, and `draft()` the next save.
async function open(module, { attributes, ...screen }) {
  const page = await openWork({ ...screen, attributes: { ...attributes, module: `/static/${module}` } });
  const { document, form, clock } = page;
  const field = (name) => form.elements.namedItem(name);
  const material = document.querySelector("#material");
  // jsdom lays nothing out, and has nothing that scrolls.
  Range.prototype.getBoundingClientRect = () => ({ top: 0, bottom: -100 });
  Object.defineProperty(document, "scrollingElement", { value: { scrollBy() {} }, configurable: true });
  const edited = (element) => {
    for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
  };
  return {
    ...page, field,
    problem: () => document.querySelector("[data-problems]").textContent,
    click: (selector) => document.querySelector(selector).click(),
    leave() { material.focus(); },
    write(name, text) {
      field(name).focus();
      field(name).value = text;
      edited(field(name));
    },
    choose: (name, value) => form.querySelector(`[name=${name}][value=${value}]`).click(),
    mark(words) {
      const { firstChild } = document.querySelector("[data-passage]");
      const start = firstChild.data.indexOf(words);
      getSelection().setBaseAndExtent(firstChild, start, firstChild, start + words.length);
      material.dispatchEvent(new MouseEvent("mouseup", { bubbles: true, detail: 1 }));
      material.focus();
      press("Enter");
    },
    added: () => [...document.querySelectorAll("[data-spans] q")].map((quote) => quote.textContent),
    marked: (name) => JSON.parse(field(name).value || "[]").map(({ quote }) => quote).join(),
    async draft() {
      await clock.tickAsync(1000);
      return JSON.parse(page.drafts().at(-1).fields.data);
    },
  };
}

// Writing questions about a paragraph (SQuAD); `questions` are the texts and marked words of the first rows.
export function openQuestions(text, questions) {
  const row = (number) => {
    const [asked = "", words = ""] = questions[number - 1] ?? [];
    const value = spanOf(text, words);
    const first = `<div data-marking><h3 data-marking-label></h3>${marking("span_1", value)}</div>`;
    return `
      <li data-row="${number}">
        <button type="button" data-remove></button>
        <textarea name="text_${number}">${asked}</textarea>
        ${radios(`kind_${number}`, "answerable", "impossible")}
        <p data-words hidden></p>
        ${number === 1 ? first : `<input type="hidden" name="span_${number}" value="${value}">`}
        <p data-wrong hidden></p>
        <p data-advice="copied-${number}" hidden><span data-copied></span></p>
      </li>`;
  };
  return open("squad/questions.js", {
    inside: `<p data-passage="0" ${boundaries(text)}>${text}</p>`,
    fields: `<ol>${[1, 2, 3, 4, 5].map(row).join("")}</ol><button type="button" data-add></button>`,
    beside: `<div class="answer"><button class="grip"></button></div>
      <i data-summary></i><i data-commit-label></i>${BAR}`,
    sentences: { "rows-no-room": "You have five." },
  });
}

// Answering a question from two documents (DuReader); `said` are the texts, opinions and entities of the first rows.
export function openDocuments(type, said = []) {
  const row = (number) => {
    const [text = "", opinion = "", entities = []] = said[number - 1] ?? [];
    const beside = {
      YES_NO: radios(`opinion_${number}`, "Yes", "No", "Depends").replace(`value="${opinion}"`, "$& checked"),
      ENTITY: `<div data-entity-tools hidden><label data-entities-label></label><ul data-entities></ul>
        <textarea name="entities_${number}" data-entity-lines>${entities.join("\n")}</textarea><input data-entity>
        <button type="button" data-entity-add></button><button type="button" data-entity-pick></button>
        <p data-advice="absent-${number}" hidden><i data-absent></i>
          <button type="button" data-advice-keep="absent-${number}"></button></p></div>`,
    }[type] ?? "";
    return `
      <li data-row="${number}">
        <i data-count></i><button type="button" data-remove></button>
        <textarea name="text_${number}">${text}</textarea>${beside}<p data-wrong hidden></p>
      </li>`;
  };
  const document = (place) => `<section data-document="${place + 1}" tabindex="-1">
    <input type="checkbox" name="used" value="${place}" form="answer"></section>`;
  return open("dureader/answers.js", {
    attributes: { type },
    inside: [0, 1].map(document).join(""),
    fields: `<input type="radio" name="kind" value="answers" checked><input type="radio" name="kind" value="none">
      <div data-answers-part><ol>${[1, 2, 3, 4, 5].map(row).join("")}</ol><button type="button" data-add></button></div>
      <p data-none-part></p><i data-used-count></i>`,
    beside: `<div class="answer"><button class="grip"></button></div><i data-summary></i>
      <button type="button" data-layout></button>`,
    sentences: {
      "rows-no-room": "You have five.", "use-first": "Mark the documents.", "entities-this": "Name its entities.",
      "entity-twice": "{what} is there already.", "entity-none": "Select words.", "opinion-this": "Yes or no?",
    },
  });
}

// Answering from a passage (CoQA), as in a conversation and in the game.
export function openAnswer(text, { draft = null } = {}) {
  return open("coqa/answer.js", {
    attributes: { "url-now": "" }, // alone
    draft,
    inside: `<p data-passage="0" ${boundaries(text)}>${text}</p>`,
    fields: `
      <div data-rationale-part>${marking("rationale")}</div><p data-unknown-part hidden></p>
      <div data-words-part>
        <textarea name="text"></textarea><i data-copied></i><button class="more" type="button" data-copy></button>
        <p data-advice="replaced" hidden><button type="button" data-copy></button></p><p data-advice="long" hidden></p>
      </div>
      <input type="checkbox" name="unknown">`,
    beside: BAR,
    sentences: { "span-added": "Rationale: {what}", "selecting-left": "Finished" },
  });
}

// Answering a question about a paper (QASPER) of one paragraph; `questions` are the states of those of the paper, the
// one that is answered now is "now".
export function openPaper(sentences, { questions = ["now"], draft = null } = {}) {
  const text = sentences.join(" ");
  const cuts = sentences.map((sentence) => [text.indexOf(sentence), text.indexOf(sentence) + sentence.length]);
  const link = (state, at) => {
    const href = state === "skipped" ? "" : `href="/work/${at + 1}/"`;
    return `<li><a ${href} data-state="${state}" ${state === "now" ? "aria-current" : ""}></a></li>`;
  };
  return open("qasper/answer.js", {
    draft,
    inside: `<div data-paper><section data-section="intro" data-path="Introduction">
      <p data-passage="0" ${boundaries(text)}
        data-sentences="${cuts.map(String).join(" ")}">${text}</p></section></div>`,
    fields: `
      <input type="hidden" name="evidence">
      <ol data-tray></ol><p data-no-evidence></p><i data-evidence-count></i>
      <p data-advice="float" hidden><button type="button" data-remove-floats></button></p>
      <p data-advice="many" hidden></p>
      ${radios("kind", "extractive", "yes_no", "abstractive", "unanswerable")}
      <div data-part="extractive">${marking("spans")}</div>
      <div data-part="yes_no">${radios("value", "yes", "no")}</div>
      <label data-absence><input type="checkbox" name="by_absence" value="on"></label>
      <div data-part="abstractive"><textarea name="text"></textarea><i data-text-count></i></div>
      <label data-in-abstract><input type="checkbox" name="in_abstract" value="on"></label>`,
    beside: `
      <ol class="questions">${questions.map(link).join("")}</ol><i data-block-done></i>
      <button data-previous></button><button data-next></button>
      <div><input data-find></div><i data-found></i><ol data-crumbs></ol><nav data-outline></nav>
      <i data-tab-count></i><i data-commit-label></i>${BAR}
      <dialog id="switch">
        <h2 data-switch-title></h2><p data-switch-what></p>
        <button type="button" data-switch-yes></button><button type="button" data-close></button>
      </dialog>`,
    sentences: { "say-evidence": "Choose the evidence." },
  });
}

// Asking in a conversation (CoQA) that may be ended.
export function openAsking() {
  return open("coqa/question.js", {
    attributes: { "url-now": "" }, // alone
    fields: `
      <div class="coqa-echo"><div data-echo></div><textarea name="text"></textarea></div>
      <p data-advice="overlap" hidden><i data-overlap></i></p>
      <details class="coqa-end">
        <input type="radio" name="why" value="" checked>${radios("why", "done", "exhausted")}
        <div data-reason-part><input name="reason"></div>
      </details>
      <p data-unasked data-kept hidden><i data-unasked-what></i></p><i data-commit-label></i>`,
    sentences: { "unasked-kept": "Not asked now.", unasked: "Not asked." },
  });
}

// The short answer in a box of an imported page (NQ), whose text this is; the frame itself says nothing.
export function openShortAnswer(text, { draft = null } = {}) {
  const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index }, at) => [at, index, index + word.length]);
  const island = (id, data) => `<template data-json id="${id}">${JSON.stringify(data)}</template>`;
  return open("nq/short_answer.js", {
    draft,
    attributes: { "url-find-quote": "/work/7/find-quote/" },
    inside: "<div data-frame></div>",
    fields: `${radios("kind", "spans", "yes", "no", "none")}<div data-spans-part>${marking("spans")}</div>
      <p data-advice="row" hidden></p><i data-commit-label>Finish</i>`,
    beside: `
      <i data-summary></i><i data-summary-dot></i><i data-selection></i><i data-after></i><i data-long-answer></i>
      <ol data-path></ol><a data-back></a><button data-advice-use></button>${BAR}
      ${island("box", [[0, "P", words.length, null, 0, []]])}${island("words", words)}${island("text", text)}`,
  });
}

// Judging a question (NQ).
export function openVerdict() {
  const faults = ["ambiguous", "opinion"].map((value) => (
    `<label><input type="checkbox" name="reasons" value="${value}"><b>${value}</b></label>`
  ));
  return open("nq/question.js", {
    fields: `${radios("verdict", "good", "bad")}${faults.join("")}<i data-commit-label></i><i data-after></i>`,
    sentences: { "commit-good": "Good", "commit-bad": "Bad", "commit-open": "Good or bad?" },
  });
}

// Answering from a paragraph (SQuAD).
export function openParagraph(text, { draft = null } = {}) {
  const choice = (value, title, key, more = "") => (
    `<label><input type="radio" name="kind" value="${value}" ${more}><span>${title}</span><kbd>${key}</kbd></label>`
  );
  return open("goldfinch/plain_stage.js", {
    draft,
    inside: `<p data-passage="0" ${boundaries(text)}>${text}</p>`,
    fields: `<fieldset data-choices="kind">
        ${choice("span", "Words", "S", "checked")}${choice("unanswerable", "No answer", "N")}
      </fieldset>
      <div data-marks="span" data-most="1" data-shown-for="span">${marking("span")}</div>
      <p data-shown-for="unanswerable"></p>`,
    beside: `<div class="answer"><button class="grip"></button></div><i data-summary></i>${BAR}`,
  });
}

// Two checks beside the mark: one that is yes or no, and one that counts.
const checks = (prefix = "") => `
  <div data-check="q"><span data-check-title>Opinion right</span>
    <label><input type="radio" name="${prefix}check-opinion" value="yes"><span>Yes</span></label>
    <label><input type="radio" name="${prefix}check-opinion" value="no"><span>No</span></label>
    <label><input type="radio" name="${prefix}check-opinion" value="" checked>
      <span aria-hidden="true">–</span><span>Not answered</span></label></div>
  <div data-count="w" data-missing="Both numbers, or none." data-too-many="At most the second.">
    <span data-check-title>Entities</span>
    <input name="${prefix}check-entities"><input name="${prefix}check-entities-of"></div>`;

// Judging an exhibit: marks, two of which have parts with the same key.
export async function openJudging({ draft = {} } = {}) {
  const choice = (name, value, title, key) => `<label><input type="radio" name="${name}" value="${value}">
    <span><b>${title}</b><small>Its definition.</small></span><kbd>${key}</kbd></label>`;
  const parts = (mark, title, ...values) => `
    <fieldset data-choices="part" data-shown-for="${mark}" data-missing="Choose which of them." hidden>
      <legend>${title}</legend>${values.map((value, place) => choice("part", value, value, "AB"[place])).join("")}
    </fieldset>`;
  const page = await open("goldfinch/plain_stage.js", {
    draft,
    inside: "<p>She wore a red glove.</p>",
    fields: `<fieldset data-choices="mark" data-missing="Choose a mark.">
        ${choice("mark", "yes", "Yes", 1)}${choice("mark", "edited", "Edited", 2)}${choice("mark", "other", "Other", 3)}
      </fieldset>
      ${parts("edited", "Edited", "article", "noun")}${parts("other", "Other", "counted", "chosen")}${checks()}`,
    beside: '<div class="answer"><button class="grip"></button></div><i data-summary>No mark yet</i>',
  });
  HTMLElement.prototype.scrollIntoView = () => {}; // jsdom lays nothing out
  return page;
}

// Three exhibits on one screen; one of their marks has parts.
export async function openTogether({ draft = {} } = {}) {
  const choice = (name, value, key) => `<label><input type="radio" name="${name}" value="${value}">
    <span><b>${value}</b></span><kbd>${key}</kbd></label>`;
  const candidate = (letter, place) => `
    <fieldset data-candidate="${letter}" tabindex="-1">
      <fieldset data-choices="mark" data-missing="Choose a mark.">
        ${["bad", "fair", "good"].map((mark, at) => choice(`e${place}-mark`, mark, at + 1)).join("")}
      </fieldset>
      <fieldset data-choices="part" data-shown-for="fair" data-missing="Choose which of them." hidden>
        ${choice(`e${place}-part`, "short", "A")}${choice(`e${place}-part`, "long", "B")}
      </fieldset>
      ${checks(`e${place}-`)}
      <textarea name="e${place}-comment" data-comment></textarea>
    </fieldset>`;
  const page = await open("goldfinch/candidates.js", {
    draft,
    inside: "<details data-definitions open></details>",
    fields: ["A", "B", "C"].map((letter, at) => candidate(letter, at + 4)).join(""),
    beside: '<i data-summary data-open="No mark yet"></i>',
  });
  page.form.dataset.sayAll = "All have a mark.";
  HTMLElement.prototype.scrollIntoView = () => {}; // jsdom lays nothing out
  return page;
}

// Writing questions about a paper (QASPER).
export function openWriting(...questions) {
  const asked = JSON.stringify(questions.map((text) => ({ text }))).replaceAll('"', "&quot;");
  const unsaid = ["topic_background", "paper_read", "nlp_background"];
  return open("qasper/questions.js", {
    inside: '<div class="paper"><p class="abstract">We train on three corpora.</p></div>',
    fields: `
      <input type="hidden" name="questions" value="${asked}"><ol data-asks></ol>
      <template data-row><li>
        <button type="button" data-grip></button><textarea></textarea><button type="button" data-remove></button>
        <input type="checkbox" data-from-abstract><i data-count></i>
        <p data-wrong></p><p data-advice></p><button type="button" data-keep></button>
      </li></template>
      ${unsaid.map((name) => `${radios(name, "some")}<p data-unsaid="${name}" hidden></p>`).join("")}
      <button type="button" data-add-ask></button><p data-removed hidden></p>`,
    beside: "<i data-summary></i><i data-commit-label></i>",
    sentences: {
      "unsaid-topic_background": "Say how well.", "unsaid-paper_read": "Say whether.",
      "unsaid-several": "Answer the {n}.", removed: "Removed {at}",
    },
  });
}
