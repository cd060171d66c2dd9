import { LRUCache } from "lru-cache";
import type { Picture, Renderer } from "./job.ts";

/**
 * Keeps finished pictures by their plan key, within a budget of bytes, in front of a renderer.
 * Pictures with skipped scenes are not kept: a hole is never remembered as if it were data.
 */
export class PictureCache {
  readonly #pictures: LRUCache<string, Picture> | undefined;
  readonly #renderer: Renderer;
  readonly #onLookup: (found: boolean) => void;

  /** @param onLookup told of each picture that is asked for. */
  constructor(renderer: Renderer, maxBytes: number, onLookup: (found: boolean) => void = () => {}) {
    this.#renderer = renderer;
    this.#onLookup = onLookup;
    this.#pictures =
      maxBytes === 0
        ? undefined
        : new LRUCache({ maxSize: maxBytes, sizeCalculation: (picture) => picture.bytes.byteLength + 512 });
  }

  async render(
    key: string,
    job: Parameters<Renderer["render"]>[0],
    options: { readonly signal: AbortSignal },
  ): Promise<Picture> {
    const known = this.#pictures?.get(key);
    this.#onLookup(known !== undefined);
    if (known !== undefined) return known;
    const picture = await this.#renderer.render(job, options);
    if (picture.skipped.length === 0) this.#pictures?.set(key, picture);
    return picture;
  }
}
