import { Remembered } from "@swath/http";
import type { ImageCache } from "../../run/image/image-cache.ts";
import type { RenderedImage } from "../../run/job.ts";
import { type FinishedImage, finishImage, type ImagePayment, type PlannedImage } from "./images.ts";

/** Facts of the answer with an image. */
export interface ImageFacts {
  readonly etag: string;
  readonly cacheControl: string;
  readonly attribution: string;
}

export interface RecalledImage extends ImageFacts {
  readonly image: RenderedImage;
}

/** Answers that are remembered, each some 500 bytes. */
const MAX_ANSWERS = 20_000;
/** As long as clients may keep the image of a window that is still open. */
const TTL_MS = 3_600_000;

/**
 * Images in front of the renderer, and what was asked when they were made: the same request can be answered again
 * without a search and without a plan. That is all that callers without a key or token get.
 */
export class FinishedImages {
  readonly cache: ImageCache;
  readonly #answers = new Remembered<ImageFacts & { readonly key: string }>({ max: MAX_ANSWERS, ttlMs: () => TTL_MS });

  constructor(cache: ImageCache) {
    this.cache = cache;
  }

  /**
   * Renders a planned image, or takes it from the cache, and remembers it under its address where no scene was skipped or
   * is missing, as soon as its charge stands.
   *
   * @param address what was asked for, in one form for all spellings of the request; with the window that a request
   *   without one has now.
   * @throws as `finishImage`.
   */
  async finish(
    address: string,
    planned: PlannedImage,
    facts: Omit<ImageFacts, "attribution">,
    options: { readonly signal: AbortSignal; readonly payment: ImagePayment },
  ): Promise<FinishedImage> {
    const finished = await finishImage(this.cache, planned, options.payment, options);
    const { attribution, skipped, isCached } = finished;
    if (skipped.length > 0 || planned.missing !== undefined || planned.isFilling === true) return finished;
    const remember = (): void => {
      const answer = { ...facts, attribution, key: planned.plan.key };
      if (this.#answers.get(address)?.key !== answer.key) this.cache.shared?.keepAnswer(address, answer);
      this.#answers.set(address, answer);
    };
    if (isCached) remember();
    else options.payment.whenEnded((stands) => stands && remember());
    return finished;
  }

  /** The image that this address was answered with, here or on a node that shares its images, where it is still there. */
  async recall(address: string): Promise<RecalledImage | undefined> {
    const answer = this.#answers.get(address) ?? (await this.cache.shared?.findAnswer(address));
    const image = answer === undefined ? undefined : await this.cache.recall(answer.key);
    return answer === undefined || image === undefined ? undefined : { ...answer, image };
  }
}
