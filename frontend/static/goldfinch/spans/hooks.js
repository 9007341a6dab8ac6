// What a stage may have a picker of words do otherwise.
/** @import { TextSpan } from "./text_spans.js" */
/** @import { Concern } from "./cards.js" */

/** @typedef {import("./pointing.js").Hears} Hears */
/**
 * @typedef {{ active(): boolean, enter(): boolean, stretches: (() => TextSpan[]) | null,
 *   selecting(span: TextSpan, how: { show: boolean }): void, concern(span: TextSpan): Concern | null,
 *   adding(span: TextSpan): void, clicked: Hears["clicked"], dragged: Hears["dragged"], twice(): void, taps(): boolean,
 *   bring(): void, goTo: ((span: TextSpan) => void) | null, remember: (() => void) | null,
 *   redraw: ((how: { changed: boolean }) => void) | null }} Hooks
 */

// Hooks that a stage may override. A span is { passage, start, end } in UTF-16 units of its passage.
/** @type {Hooks} */
export const HOOKS = {
  active: () => true, // whether a drag or double click marks words now
  enter: () => true, // before select mode; false if it can't be entered now
  stretches: null, // () => the spans whose words select mode visits; null: all passages
  selecting() {}, // (span, { show }), before it becomes pending; `show`: it will be scrolled into view
  concern: () => null, // (span) => { ask, say, add, problem } if the person must confirm before it is added
  adding() {}, // (span), before it is added
  clicked: () => false, // (event, { dragged }); true: the click is handled and marks no word
  dragged() {}, // (parts) of a drag while nothing is active
  twice() {}, // a double click marks words: undo what its first click did
  taps: () => true, // whether taps mark words outside select mode, too
  bring() {}, // show the text if a narrow screen has hidden it
  goTo: null, // (span), to scroll to a span in your own way
  remember: null, // before each change that can be undone; null: the picker keeps its own undo history
  redraw: null, // ({ changed }) redraws the screen, including `picker.draw()`
};
