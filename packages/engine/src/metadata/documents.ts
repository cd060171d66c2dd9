import { CogError, type Source } from "@swath/cog";
import { Remembered, type RememberedOptions } from "@swath/http";
import { unavailable, unreadable } from "../run/errors.ts";

/** Options for reading documents of scenes. */
export interface DocumentSettings<T> extends RememberedOptions<T> {
  /** The source of an address; it throws for one that may not be read. */
  readonly sourceFor: (href: string) => Source;
  /** Bytes of the largest document. */
  readonly maxBytes: number;
  /** Milliseconds in which a document is read; absent: as long as its readers wait. */
  readonly deadlineMs?: number;
  /** @throws where the document is none of its kind. */
  readonly parse: (bytes: Uint8Array) => T;
  /** The value for a document that does not exist; absent: it cannot be read. */
  readonly absent?: T;
}

/** Documents by address: each is read once, and what it says is remembered. */
export class Documents<T> {
  readonly #settings: DocumentSettings<T>;
  readonly #known: Remembered<T>;

  constructor(settings: DocumentSettings<T>) {
    this.#settings = settings;
    this.#known = new Remembered(settings);
  }

  /**
   * Returns the parsed document at an address.
   *
   * @param what is not read where it fails, as the beginning of a sentence: "The angles of scene a cannot be read"
   * @throws {Refusal} `upstream-unavailable` where it cannot be read or parsed; the reason of `signal` once it aborts.
   */
  async read(href: string, what: string, signal: AbortSignal): Promise<T> {
    try {
      return await this.#known.of(href, (shared) => this.#load(href, shared), signal);
    } catch (cause) {
      signal.throwIfAborted();
      throw cause instanceof CogError ? unreadable(what, cause) : unavailable(`${what}.`, { cause });
    }
  }

  async #load(href: string, signal: AbortSignal): Promise<T> {
    const { sourceFor, maxBytes, deadlineMs, parse, absent } = this.#settings;
    const within = deadlineMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
    try {
      const source = sourceFor(href);
      try {
        const bytes = await source.read(0, maxBytes + 1, { signal: within });
        if (bytes.byteLength > maxBytes) throw new CogError("too-large", `A document has more than ${maxBytes} bytes.`);
        return parse(bytes);
      } finally {
        await source.close?.();
      }
    } catch (error) {
      const isAbsent = error instanceof CogError && error.code === "not-found";
      if (isAbsent && "absent" in this.#settings) return absent as T;
      throw error;
    }
  }
}
