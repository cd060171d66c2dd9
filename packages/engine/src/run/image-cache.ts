import { LRUCache } from "lru-cache";
import { type ImageTurn, ImageTurns } from "./image-turns.ts";
import type { ImageJob, RenderedImage, Renderer, RenderOptions } from "./job.ts";

/** Whether an image is there, and otherwise whose part it is to have it rendered. */
export type Turn = { readonly kind: "finished"; readonly image: RenderedImage } | ImageTurn;

/**
 * Keeps finished images by their plan key, within a budget of bytes, in front of a renderer.
 * Images with skipped scenes are not kept: a gap is never cached as if it were data.
 */
export class ImageCache {
  readonly #images: LRUCache<string, RenderedImage> | undefined;
  readonly #turns: ImageTurns;
  readonly #onLookup: (found: boolean) => void;

  /** @param onLookup called for each image that is asked for. */
  constructor(renderer: Pick<Renderer, "render">, maxBytes: number, onLookup: (found: boolean) => void = () => {}) {
    this.#onLookup = onLookup;
    this.#images =
      maxBytes === 0
        ? undefined
        : new LRUCache({ maxSize: maxBytes, sizeCalculation: (image) => image.bytes.byteLength + 512 });
    this.#turns = new ImageTurns(renderer, (key, image) => {
      if (image.skipped.length === 0) this.#images?.set(key, image);
    });
  }

  /** The image that was rendered by this key, where it is kept. */
  find(key: string): RenderedImage | undefined {
    return this.#images?.get(key);
  }

  /**
   * The image, where it is kept or another caller has had it rendered meanwhile; else the turn to have it rendered and to
   * answer for its charge.
   *
   * @throws what rendering throws for the caller whose turn it was, and the signal's reason.
   */
  async turn(key: string, options: RenderOptions): Promise<Turn> {
    const known = this.find(key);
    const turn =
      known === undefined ? await this.#turns.take(key, options) : ({ kind: "finished", image: known } as const);
    this.#onLookup(turn.kind === "finished");
    return turn;
  }

  /** Renders without a charge, or takes the image from the cache. */
  async render(key: string, job: ImageJob, options: RenderOptions): Promise<RenderedImage> {
    const turn = await this.turn(key, options);
    if (turn.kind === "finished") return turn.image;
    let stands = false;
    try {
      const image = await turn.render(job, options);
      stands = true;
      return image;
    } finally {
      turn.end(stands);
    }
  }
}
