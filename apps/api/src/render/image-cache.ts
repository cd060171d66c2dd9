import { LRUCache } from "lru-cache";
import type { ImageJob, RenderedImage, Renderer, RenderOptions } from "./job.ts";

export interface FetchedImage {
  readonly image: RenderedImage;
  readonly isCached: boolean;
}

/**
 * Keeps finished images by their plan key, within a budget of bytes, in front of a renderer.
 * Images with skipped scenes are not kept: a gap is never cached as if it were data.
 */
export class ImageCache {
  readonly #images: LRUCache<string, RenderedImage> | undefined;
  readonly #renderer: Pick<Renderer, "render">;
  readonly #onLookup: (found: boolean) => void;

  /** @param onLookup called for each image that is asked for. */
  constructor(renderer: Pick<Renderer, "render">, maxBytes: number, onLookup: (found: boolean) => void = () => {}) {
    this.#renderer = renderer;
    this.#onLookup = onLookup;
    this.#images =
      maxBytes === 0
        ? undefined
        : new LRUCache({ maxSize: maxBytes, sizeCalculation: (image) => image.bytes.byteLength + 512 });
  }

  /** The image that was rendered by this key, where it is kept. */
  find(key: string): RenderedImage | undefined {
    return this.#images?.get(key);
  }

  async render(key: string, job: ImageJob, options: RenderOptions): Promise<RenderedImage> {
    return (await this.fetch(key, job, options)).image;
  }

  /** Renders, and says whether the image was kept from before. */
  async fetch(key: string, job: ImageJob, options: RenderOptions): Promise<FetchedImage> {
    const known = this.#images?.get(key);
    this.#onLookup(known !== undefined);
    if (known !== undefined) return { image: known, isCached: true };
    const image = await this.#renderer.render(job, options);
    if (image.skipped.length === 0) this.#images?.set(key, image);
    return { image, isCached: false };
  }
}
