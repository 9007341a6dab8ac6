// Globals of the pages that no module of ours makes: the vendored htmx and Temml.

interface HtmxSwap { swapStyle: string; swapDelay?: number; settleDelay?: number }
interface HtmxAjax { target?: string; swap?: string; values?: Record<string, unknown> }

declare const htmx: {
  ajax(verb: string, url: string, options: HtmxAjax): Promise<void>;
  swap(target: string, html: string, swap: HtmxSwap): void;
};

declare var temml: { render(tex: string, place: Element, options?: Record<string, unknown>): void } | undefined;

interface HtmxDetail {
  elt: HTMLFormElement; verb: string; parameters: Record<string, unknown>; xhr: XMLHttpRequest; shouldSwap: boolean;
  successful: boolean; requestConfig: { elt: HTMLFormElement };
}

interface DocumentEventMap {
  "htmx:afterRequest": CustomEvent<HtmxDetail>;
  "htmx:afterSettle": CustomEvent<HtmxDetail>;
  "htmx:afterSwap": CustomEvent<HtmxDetail>;
  "htmx:beforeRequest": CustomEvent<HtmxDetail>;
  "htmx:beforeSend": CustomEvent<HtmxDetail>;
  "htmx:beforeSwap": CustomEvent<HtmxDetail>;
  "htmx:configRequest": CustomEvent<HtmxDetail>;
}

interface HTMLElementEventMap { "htmx:afterRequest": CustomEvent<HtmxDetail> }

// Not in every browser yet.
interface NavigateEvent extends Event { destination: { sameDocument: boolean }; downloadRequest: string | null }
declare var navigation: {
  addEventListener(type: "navigate", listener: (event: NavigateEvent) => void): void;
} | undefined;
