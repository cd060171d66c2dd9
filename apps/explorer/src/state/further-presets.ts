import { type Signal, signal } from "@preact/signals";
import type { Api } from "../api/api.ts";
import type { Link, Preset } from "../api/types.ts";

/** The presets after the first page of the service's list: all are read when they are searched, one where a view names it. */
export class FurtherPresets {
  readonly known: Signal<readonly Preset[]> = signal([]);
  readonly #api: Pick<Api, "json">;
  readonly #next: string | undefined;
  #all: Promise<void> | undefined;

  /** @param links - those of the first page. */
  constructor(api: Pick<Api, "json">, links: readonly Link[]) {
    this.#api = api;
    const next = links.find(({ rel }) => rel === "next")?.href;
    this.#next = next === undefined ? undefined : `v1/presets${new URL(next).search}`;
  }

  get areThere(): boolean {
    return this.#next !== undefined;
  }

  /** Reads all, once; again where that failed. */
  load(): Promise<void> {
    this.#all ??= this.#load().catch((error: unknown) => {
      this.#all = undefined;
      throw error;
    });
    return this.#all;
  }

  async #load(): Promise<void> {
    if (this.#next === undefined) return;
    const { presets } = await this.#api.json<{ presets: Preset[] }>(this.#next, { need: "documents" });
    this.known.value = presets;
  }

  /** Reads presets that are not known yet. Those that the service lacks stay unknown. */
  async find(ids: readonly string[]): Promise<void> {
    if (!this.areThere || ids.length === 0) return;
    const found = await Promise.all(
      ids.map((id) =>
        this.#api.json<Preset>(`v1/presets/${encodeURIComponent(id)}`, { need: "documents" }).catch(() => undefined),
      ),
    );
    const known = this.known.value;
    const isNew = ({ id }: Preset): boolean => !known.some((each) => each.id === id);
    this.known.value = [...known, ...found.filter((preset) => preset !== undefined).filter(isNew)];
  }
}
