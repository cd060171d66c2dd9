import { LRUCache } from "lru-cache";
import type { ImageJob, RenderedImage, Renderer, RenderOptions } from "../job.ts";
import { type ImageTurn, ImageTurns } from "./image-turns.ts";
import type { SharedImages } from "./shared-images.ts";

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
  /** Images of other nodes, and answers that they gave. */
  readonly shared: SharedImages | undefined;

  /**
   * @param maxBytes that are kept in memory; 0: none.
   * @param onLookup called for each image that is asked for.
   * @param shared images of other nodes, looked up where this one has none; images whose charge stands are shared there.
   */
  constructor(
    renderer: Pick<Renderer, "render">,
    maxBytes: number,
    onLookup: (found: boolean) => void = () => {},
    shared?: SharedImages,
  ) {
    this.#onLookup = onLookup;
    this.#images =
      maxBytes === 0
        ? undefined
        : new LRUCache({ maxSize: maxBytes, sizeCalculation: (image) => image.bytes.byteLength + 512 });
    this.shared = shared;
    const keep = (key: string, image: RenderedImage): void => {
      if (image.skipped.length === 0) this.#images?.set(key, image);
    };
    this.#turns = new ImageTurns(
      renderer,
      (key, image) => {
        keep(key, image);
        shared?.keep(key, image);
      },
      shared && ((key) => this.#findShared(key, shared)),
    );
  }

  async #findShared(key: string, shared: SharedImages): Promise<RenderedImage | undefined> {
    const image = await shared.find(key);
    if (image !== undefined) this.#images?.set(key, image);
    return image;
  }

  /** The image, where it is kept here or shared. */
  async recall(key: string): Promise<RenderedImage | undefined> {
    const known = this.find(key);
    return known === undefined && this.shared !== undefined ? this.#findShared(key, this.shared) : known;
  }

  /** Keeps an image here, and shares it. */
  keep(key: string, image: RenderedImage): void {
    this.#images?.set(key, image);
    this.shared?.keep(key, image);
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
