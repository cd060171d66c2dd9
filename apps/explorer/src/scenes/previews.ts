import type { Api } from "../api/api.ts";
import { RequestGate } from "../api/request-gate.ts";
import type { Item } from "../api/types.ts";

/** Previews requested at a time. */
const PARALLEL = 3;

/** Fetches images with the key, a few at a time, and keeps them as object URLs. */
export class Previews {
  readonly #api: Api;
  readonly #urls = new Map<string, Promise<string>>();
  readonly #gate = new RequestGate(PARALLEL);

  constructor(api: Api) {
    this.#api = api;
  }

  url(item: Item): Promise<string> {
    const known = this.#urls.get(item.id);
    if (known !== undefined) return known;
    const loading = this.#gate.run(() => this.#load(item));
    this.#urls.set(item.id, loading);
    loading.catch(() => this.#urls.delete(item.id));
    return loading;
  }

  async #load(item: Item): Promise<string> {
    const path = `v1/collections/${item.collection}/items/${encodeURIComponent(item.id)}/preview.webp?max_size=128`;
    return URL.createObjectURL(await (await this.#api.send(path, { need: "images" })).blob());
  }
}
