import type { Api, Item, ItemPage } from "./api.ts";
import { h } from "./dom.ts";
import { count, dayAndTime, platformName } from "./format.ts";
import { problemCard, problemFrom } from "./problems.ts";
import type { Bbox, ViewState } from "./state.ts";

const PAGE = 24;
/** Previews requested at a time. */
const PARALLEL = 3;

export interface ScenesCallbacks {
  readonly onChoose: (item: Item) => void;
  readonly onHover: (id: string | undefined) => void;
  readonly onItems: (items: readonly Item[]) => void;
}

/** Fetches images with the key, a few at a time, and keeps them as object URLs. */
class Previews {
  readonly #api: Api;
  readonly #urls = new Map<string, Promise<string>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(api: Api) {
    this.#api = api;
  }

  url(item: Item): Promise<string> {
    const known = this.#urls.get(item.id);
    if (known !== undefined) return known;
    const loading = this.#load(item);
    this.#urls.set(item.id, loading);
    loading.catch(() => this.#urls.delete(item.id));
    return loading;
  }

  async #load(item: Item): Promise<string> {
    if (this.#running >= PARALLEL) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      const path = `v1/collections/${item.collection}/items/${encodeURIComponent(item.id)}/preview.webp?max_size=128`;
      return URL.createObjectURL(await (await this.#api.send(path, { need: "images" })).blob());
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}

/** The list of scenes in view: what a search of the view gives, newest first. */
export class SceneList {
  readonly element: HTMLElement;
  readonly #api: Api;
  readonly #callbacks: ScenesCallbacks;
  readonly #previews: Previews;
  readonly #list = h("ol", { class: "scenes", "aria-label": "Scenes in view, newest first" });
  readonly #status = h("p", { class: "quiet", role: "status" });
  readonly #more = h("button", { type: "button", class: "wide", hidden: true }, "More scenes");
  readonly #problem = h("div");
  readonly #seen: IntersectionObserver;
  #items: Item[] = [];
  #asked: { key: string; body: Record<string, unknown>; token?: string | undefined } | undefined;
  #abort = new AbortController();
  #chosen: string | undefined;

  constructor(api: Api, callbacks: ScenesCallbacks) {
    this.#api = api;
    this.#callbacks = callbacks;
    this.#previews = new Previews(api);
    this.#seen = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) this.#loadPreview(entry.target as HTMLImageElement);
    });
    this.#more.addEventListener("click", () => void this.#next());
    this.element = h("div", {}, this.#status, this.#problem, this.#list, this.#more);
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Searches the box in view; the same search is not made twice. */
  async search(state: ViewState, bbox: Bbox): Promise<void> {
    const body = {
      collections: [state.collection],
      bbox: bbox.map((value) => Number(value.toFixed(4))),
      datetime: `${state.from}/${state.to}`,
      limit: PAGE,
      ...(state.cloud === 100 ? {} : { query: { "eo:cloud_cover": { lte: state.cloud } } }),
    };
    const key = JSON.stringify(body);
    if (key === this.#asked?.key) return;
    this.#asked = { key, body };
    await this.#load(body, false);
  }

  /** Lets the next search run even if it was made before. */
  forget(): void {
    this.#asked = undefined;
  }

  async #next(): Promise<void> {
    const { body, token } = this.#asked ?? {};
    if (body === undefined || token === undefined) return;
    await this.#load({ ...body, token }, true);
  }

  async #load(body: Record<string, unknown>, isMore: boolean): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.element.setAttribute("aria-busy", "true");
    try {
      const page = await this.#api.search(body, signal);
      if (signal.aborted) return;
      this.#show(page, isMore);
    } catch (error) {
      if (signal.aborted) return;
      this.#asked = undefined;
      this.#status.textContent = "The search failed.";
      this.#problem.replaceChildren(problemCard(problemFrom(error)));
    }
    this.element.removeAttribute("aria-busy");
  }

  #show(page: ItemPage, isMore: boolean): void {
    this.#items = isMore ? [...this.#items, ...page.features] : [...page.features];
    const next = page.links.find(({ rel }) => rel === "next")?.body?.token;
    if (this.#asked !== undefined) this.#asked.token = next;
    this.#more.hidden = next === undefined;
    this.#problem.replaceChildren();
    const total = page.numberMatched;
    const shown = this.#items.length;
    this.#status.textContent =
      shown === 0
        ? "No scenes here. Try other dates, more cloud, or another part of the map."
        : `${count(shown)}${total === undefined ? (next === undefined ? "" : " of many") : total === shown ? "" : ` of ${count(total)}`} scene${shown === 1 ? "" : "s"} in view`;
    this.#render();
    this.#callbacks.onItems(this.#items);
  }

  #render(): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.scene;
    this.#seen.disconnect();
    this.#list.replaceChildren(...this.#items.map((item) => this.#entry(item)));
    if (focused !== undefined) this.#button(focused)?.focus();
  }

  #entry(item: Item): HTMLElement {
    const { datetime, platform } = item.properties;
    const cover = item.properties["eo:cloud_cover"];
    const image = h("img", { alt: "", width: 64, height: 64, "data-preview": item.id });
    this.#seen.observe(image);
    const button = h(
      "button",
      {
        type: "button",
        class: "scene",
        "data-scene": item.id,
        "aria-pressed": String(item.id === this.#chosen),
        onclick: () => this.#callbacks.onChoose(item),
        onmouseenter: () => this.#callbacks.onHover(item.id),
        onmouseleave: () => this.#callbacks.onHover(undefined),
        onfocus: () => this.#callbacks.onHover(item.id),
        onblur: () => this.#callbacks.onHover(undefined),
      },
      h("span", { class: "thumb" }, image),
      h(
        "span",
        { class: "scene-facts" },
        h("strong", {}, dayAndTime(datetime)),
        h("span", {}, platformName(platform)),
        h("span", { class: "scene-id" }, item.id),
        h(
          "span",
          { class: "cloud" },
          cover === undefined
            ? "cloud cover unknown"
            : `${cover < 10 && cover > 0 ? cover.toFixed(1) : Math.round(cover)} % cloud`,
          cover !== undefined && h("meter", { min: 0, max: 100, value: cover, "aria-hidden": "true" }),
        ),
      ),
    );
    return h("li", {}, button);
  }

  #loadPreview(image: HTMLImageElement): void {
    this.#seen.unobserve(image);
    const item = this.#items.find(({ id }) => id === image.dataset.preview);
    if (item === undefined) return;
    this.#previews.url(item).then(
      (url) => {
        image.src = url;
      },
      () => image.parentElement?.classList.add("missing"),
    );
  }

  #button(id: string): HTMLElement | null {
    return this.#list.querySelector(`[data-scene="${CSS.escape(id)}"]`);
  }

  choose(id: string | undefined): void {
    this.#chosen = id;
    for (const button of this.#list.querySelectorAll<HTMLElement>(".scene")) {
      button.setAttribute("aria-pressed", String(button.dataset.scene === id));
    }
    if (id !== undefined) this.#button(id)?.scrollIntoView({ block: "nearest" });
  }

  hover(id: string | undefined): void {
    for (const button of this.#list.querySelectorAll<HTMLElement>(".scene")) {
      button.classList.toggle("hovered", button.dataset.scene === id);
    }
  }
}
