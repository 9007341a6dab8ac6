// The DOM as our pages have it. Templates and scripts are one piece, so a look-up is typed as finding what it looks for,
// which the tests in Chromium show; where an element may be missing, the code says so with `?.`.

// The element that a selector finds, from its tag: "form[data-commit]" is a form, "[data-row] textarea" a text area.
type Found<S extends string> = S extends `${string},${string}` ? HTMLElement
  : S extends `${string}[name=${string}` ? Field : Tagged<S>;
type Tagged<S extends string> = S extends `${string} ${infer Last}` ? Tagged<Last>
  : S extends `${infer Tag}[${string}` ? Tagged<Tag>
  : S extends `${infer Tag}#${string}` ? Tagged<Tag>
  : S extends `${infer Tag}.${string}` ? Tagged<Tag>
  : S extends `${infer Tag}:${string}` ? Tagged<Tag>
  : S extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[S] : HTMLElement;

interface ParentNode {
  querySelector<S extends string, E extends Element = Found<S>>(selectors: S): E;
  querySelectorAll<S extends string, E extends Element = Found<S>>(selectors: S): NodeListOf<E>;
}

interface Element {
  setAttribute(name: string, value: boolean | number): void;
  closest<S extends string, E extends Element = Found<S>>(selectors: S): E;
}

// What an event comes from is an element of ours; what is typed or chosen in a form is a field of it.
type From<E, T> = E & { readonly target: T };

interface Document {
  addEventListener<K extends keyof DocumentEventMap>(
    type: K, listener: (event: From<DocumentEventMap[K], HTMLElement>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

interface HTMLElement {
  addEventListener<K extends keyof HTMLElementEventMap>(
    type: K, listener: (event: From<HTMLElementEventMap[K], HTMLElement>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

interface HTMLDialogElement {
  addEventListener<K extends keyof HTMLElementEventMap>(
    type: K, listener: (event: From<HTMLElementEventMap[K], HTMLElement>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

interface HTMLFormElement {
  addEventListener<K extends "input" | "change">(
    type: K, listener: (event: From<HTMLElementEventMap[K], HTMLInputElement>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<K extends keyof HTMLElementEventMap>(
    type: K, listener: (event: From<HTMLElementEventMap[K], HTMLElement>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

// A control of a form by its name; several of one name (radio buttons) can be gone through.
type Field = HTMLInputElement & Iterable<HTMLInputElement>;

interface HTMLFormControlsCollection {
  namedItem(name: string): Field;
  // Of every form of work.
  readonly after: Field;
  readonly base: Field;
  readonly client: Field;
  readonly csrfmiddlewaretoken: Field;
  readonly seen: Field;
  readonly submission_key: Field;
  // Of single forms.
  readonly code: Field;
  readonly how: Field;
  readonly kind: Field;
  readonly mode: Field;
  readonly password: Field;
  readonly reason: Field;
  readonly step: Field;
  readonly text: Field;
  readonly to_lead: Field;
  readonly unknown: Field;
  readonly username: Field;
  readonly verdict: Field;
  readonly why: Field;
}

interface FormData { set(name: string, value: number): void }

interface Promise<T> { catch(instead: () => null): Promise<T | null> }
