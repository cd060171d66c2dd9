import { unlessAborted } from "@swath/http";
import type { ImageJob, RenderedImage, Renderer, RenderOptions } from "../job.ts";

/** The turn of one caller at an image that others wait for. */
export interface ImageTurn {
  readonly kind: "own";
  /**
   * Renders the image, or goes on with the rendering of the caller before.
   *
   * @throws what rendering throws, and the reason of the caller's signal.
   */
  render(job: ImageJob, options: RenderOptions): Promise<RenderedImage>;
  /**
   * Ends the turn, once: further calls do nothing.
   *
   * @param stands whether the charge of the image stands, so that others may have it; else the turn is the next caller's.
   */
  end(stands: boolean): void;
}

/** Finds an image that somebody has paid for; it never rejects, and takes no longer than it may. */
type LookUp = (key: string) => Promise<RenderedImage | undefined>;

type Outcome = { readonly kind: "finished"; readonly image: RenderedImage } | ImageTurn;

interface Waiter {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** An image that is asked for and that nobody has paid for yet. */
interface Entry {
  /** Aborted when the last caller has left. */
  readonly controller: AbortController;
  /** In the order in which they came. */
  readonly waiting: Waiter[];
  rendering: Promise<RenderedImage> | undefined;
  image: RenderedImage | undefined;
}

/**
 * Images asked for by several callers at once: one rendering, and one caller at a time who answers for its charge. The
 * others wait until that charge stands. Where it does not, because the caller has left or may not pay, the next one takes
 * over with the same rendering. A rendering that fails fails for all of them, and one that nobody waits for is ended.
 */
export class ImageTurns {
  readonly #renderer: Pick<Renderer, "render">;
  readonly #onFinished: (key: string, image: RenderedImage) => void;
  readonly #lookUp: LookUp | undefined;
  readonly #entries = new Map<string, Entry>();

  /**
   * @param onFinished told of each image whose charge stands, before those who wait for it.
   * @param lookUp asked before anybody gets a turn: an image that it finds is free.
   */
  constructor(
    renderer: Pick<Renderer, "render">,
    onFinished: (key: string, image: RenderedImage) => void,
    lookUp?: LookUp,
  ) {
    this.#renderer = renderer;
    this.#onFinished = onFinished;
    this.#lookUp = lookUp;
  }

  /** The first caller's turn at once; for others the image, or their turn where it comes to them. */
  async take(key: string, { signal }: RenderOptions): Promise<Outcome> {
    signal.throwIfAborted();
    const entry = this.#entries.get(key);
    if (entry !== undefined) return wait(entry, signal);
    const made: Entry = { controller: new AbortController(), waiting: [], rendering: undefined, image: undefined };
    this.#entries.set(key, made);
    const found = await this.#lookUp?.(key);
    if (found !== undefined) {
      this.#deliver(key, made, found);
      return { kind: "finished", image: found };
    }
    if (signal.aborted) {
      this.#passOn(key, made);
      throw signal.reason;
    }
    return this.#turnOf(key, made);
  }

  #turnOf(key: string, entry: Entry): ImageTurn {
    let hasEnded = false;
    return {
      kind: "own",
      render: (job, { signal }) => {
        entry.rendering ??= this.#start(key, entry, job);
        return unlessAborted(entry.rendering, signal);
      },
      end: (stands) => {
        if (hasEnded) return;
        hasEnded = true;
        if (stands && entry.image !== undefined) this.#finish(key, entry, entry.image);
        else this.#passOn(key, entry);
      },
    };
  }

  #start(key: string, entry: Entry, job: ImageJob): Promise<RenderedImage> {
    const rendering = this.#renderer.render(job, { signal: entry.controller.signal });
    rendering.then(
      (image) => {
        entry.image = image;
      },
      (error: unknown) => {
        this.#forget(key, entry);
        for (const { reject } of entry.waiting.splice(0)) reject(error);
      },
    );
    return rendering;
  }

  #finish(key: string, entry: Entry, image: RenderedImage): void {
    this.#onFinished(key, image);
    this.#deliver(key, entry, image);
  }

  #deliver(key: string, entry: Entry, image: RenderedImage): void {
    this.#forget(key, entry);
    for (const { resolve } of entry.waiting.splice(0)) resolve({ kind: "finished", image });
  }

  #passOn(key: string, entry: Entry): void {
    const next = entry.waiting.shift();
    if (next !== undefined) {
      next.resolve(this.#turnOf(key, entry));
      return;
    }
    this.#forget(key, entry);
    entry.controller.abort(new Error("Nobody waits for this image any more."));
  }

  #forget(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}

function wait({ waiting }: Entry, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      const index = waiting.indexOf(waiter);
      if (index < 0) return;
      waiting.splice(index, 1);
      reject(signal.reason);
    };
    const settled = <T>(done: (value: T) => void) => {
      return (value: T): void => {
        signal.removeEventListener("abort", leave);
        done(value);
      };
    };
    const waiter: Waiter = { resolve: settled(resolve), reject: settled(reject) };
    waiting.push(waiter);
    signal.addEventListener("abort", leave, { once: true });
  });
}
