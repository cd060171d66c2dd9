import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Api } from "../api/api.ts";
import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import type { Item, ItemPage } from "../api/types.ts";
import type { Bbox } from "../geometry/area.ts";
import type { ViewState } from "../view/view.ts";

const PAGE = 24;

/** The scenes that a search of the view has found so far. */
export interface Found {
  readonly items: readonly Item[];
  /** Scenes there are in all, where the service says so. */
  readonly total: number | undefined;
  /** Whether there are more. */
  readonly hasMore: boolean;
  /** Upstreams of the service that did not answer: their scenes are not among these. */
  readonly missing: readonly string[];
}

/** The scenes in view: what a search of the view gives, newest first, page by page. */
export class SceneSearch {
  readonly #api: Api;
  readonly #found = signal<Found | undefined>(undefined);
  readonly #problem = signal<Problem | undefined>(undefined);
  readonly #isBusy = signal(false);
  /** The footprint under the pointer, in the list or on the map. */
  readonly hovered: Signal<string | undefined> = signal(undefined);
  /** Counts what makes an equal search run again. */
  readonly turn: Signal<number> = signal(0);
  #asked: { key: string; body: Record<string, unknown>; token?: string | undefined } | undefined;
  #abort = new AbortController();

  constructor(api: Api) {
    this.#api = api;
  }

  get found(): ReadonlySignal<Found | undefined> {
    return this.#found;
  }

  get problem(): ReadonlySignal<Problem | undefined> {
    return this.#problem;
  }

  get isBusy(): ReadonlySignal<boolean> {
    return this.#isBusy;
  }

  get items(): readonly Item[] {
    return this.#found.value?.items ?? [];
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

  /** Makes the last search again. */
  forget(): void {
    this.#asked = undefined;
    this.turn.value += 1;
  }

  /** Adds the next page. */
  async more(): Promise<void> {
    const { body, token } = this.#asked ?? {};
    if (body === undefined || token === undefined) return;
    await this.#load({ ...body, token }, true);
  }

  async #load(body: Record<string, unknown>, isMore: boolean): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal: aborted } = this.#abort;
    this.#isBusy.value = true;
    try {
      const page = await this.#api.search(body, aborted);
      if (aborted.aborted) return;
      this.#take(page, isMore);
    } catch (error) {
      if (aborted.aborted) return;
      this.#asked = undefined;
      this.#problem.value = problemFrom(error);
    }
    this.#isBusy.value = false;
  }

  #take(page: ItemPage, isMore: boolean): void {
    const token = page.links.find(({ rel }) => rel === "next")?.body?.token;
    if (this.#asked !== undefined) this.#asked.token = token;
    const before = isMore ? this.#found.value : undefined;
    const missing = [...(before?.missing ?? []), ...(page["svc:upstreams_missing"] ?? [])];
    batch(() => {
      this.#problem.value = undefined;
      this.#found.value = {
        items: [...(before?.items ?? []), ...page.features],
        total: page.numberMatched,
        hasMore: token !== undefined,
        missing: [...new Set(missing)],
      };
    });
  }
}
