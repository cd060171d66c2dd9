import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { unlessAborted } from "@swath/http";
import { MEDIA_TYPES, RENDER_VERSION, type RenderedImage } from "../job.ts";
import { RestAfterFaults } from "./rest-after-faults.ts";

/** A place for small objects that nodes share, such as `openObjects` of `@swath/store`. */
export interface SharedObjects {
  /** @throws where the place does not answer, for an object of more than `maxBytes`, and the reason of the signal. */
  read(
    name: string,
    options: { readonly signal: AbortSignal; readonly maxBytes: number },
  ): Promise<Uint8Array | undefined>;
  /** Writes an object whole or not at all. */
  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** The outcome of a look-up or of a write, for whoever counts them. */
export type SharedOutcome = "hit" | "miss" | "late" | "fault" | "damaged" | "resting" | "stored" | "dropped";

/** Options of shared images. */
export interface SharedImageOptions {
  readonly objects: SharedObjects;
  /** Secret of the installation: only objects that were signed by it are taken. */
  readonly secret: Uint8Array;
  /** Time that a look-up may take, milliseconds; default 100. What comes later is rendered. */
  readonly lookUpMs?: number;
  /** Age from which an object counts as absent, milliseconds; default seven days. */
  readonly maxAgeMs?: number;
  /** The time, epoch milliseconds. */
  readonly now?: () => number;
  readonly onOutcome?: (outcome: SharedOutcome) => void;
}

/** Facts of the answer with an image that was found by its address. */
export interface SharedAnswer {
  readonly etag: string;
  readonly cacheControl: string;
  readonly attribution: string;
  /** Plan key of the image. */
  readonly key: string;
}

type ImageFacts = Omit<RenderedImage, "bytes" | "skipped">;
interface Envelope<T> {
  readonly facts: T;
  /** Epoch milliseconds. */
  readonly made: number;
}

const LOOK_UP_MS = 100;
const MAX_AGE_MS = 7 * 86_400_000;
/** Time for which an answer is found by its address: that of the memory of one node. */
const ANSWER_AGE_MS = 3_600_000;
/** Largest object that is read or written, bytes. */
const MAX_BYTES = 8 << 20;
/** Writes at once, and those that wait besides; what comes on top is not shared. */
const WRITERS = 4;
const MAX_WAITING = 64;
const WRITE_MS = 5000;
/** Look-ups at once; one more counts as a miss. */
const MAX_READING = 32;
const MAGIC = "SWIMG1\n";
const MAC_BYTES = 32;

/**
 * Finished images in a place that nodes share, by the hash of their plan and of the version of rendering: a node or a restart
 * finds what another has rendered. It only ever saves time. A look-up that takes longer than it may counts as a miss; after
 * faults the place is left alone for a while; writes happen beside answers, bounded, and what does not fit is not shared.
 *
 * An object holds its facts, its bytes and an HMAC of both and of its name (RFC 2104, SHA-256): one that is damaged, cut off,
 * under another name, or written by somebody without the secret is not taken.
 */
export class SharedImages {
  readonly #options: SharedImageOptions;
  readonly #now: () => number;
  readonly #reads: RestAfterFaults;
  readonly #writes: RestAfterFaults;
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #running = new Set<Promise<void>>();
  #reading = 0;
  #isClosed = false;

  constructor(options: SharedImageOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#reads = new RestAfterFaults();
    this.#writes = new RestAfterFaults();
  }

  /** The image of a plan; undefined where it is not there, or not soon enough. It does not throw. */
  async find(key: string): Promise<RenderedImage | undefined> {
    const found = await this.#read<ImageFacts>(imageName(key), this.#options.maxAgeMs ?? MAX_AGE_MS);
    if (found === undefined) return undefined;
    if (!Object.hasOwn(MEDIA_TYPES, found.facts.format)) return undefined;
    return { ...found.facts, bytes: found.bytes, skipped: [] };
  }

  /** Shares an image whose charge stands and that lacks no scene; returns at once. */
  keep(key: string, { bytes, skipped, ...facts }: RenderedImage): void {
    if (skipped.length > 0) return;
    this.#write(imageName(key), facts, bytes);
  }

  /** The answer that an address was given on some node within the hour, as `find`. */
  async findAnswer(address: string): Promise<SharedAnswer | undefined> {
    return (await this.#read<SharedAnswer>(answerName(address), ANSWER_AGE_MS))?.facts;
  }

  /** Shares the answer of an address, as `keep`. */
  keepAnswer(address: string, answer: SharedAnswer): void {
    this.#write(answerName(address), answer, new Uint8Array());
  }

  /** Waits for the writes that run, for at most `timeoutMs`; those that wait are dropped. */
  async close(timeoutMs = 2000): Promise<void> {
    this.#isClosed = true;
    this.#waiting.length = 0;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([Promise.all(this.#running), late]);
    clearTimeout(timer);
  }

  async #read<T>(
    name: string,
    maxAgeMs: number,
  ): Promise<{ readonly facts: T; readonly bytes: Uint8Array<ArrayBuffer> } | undefined> {
    const { objects, lookUpMs = LOOK_UP_MS, onOutcome = () => {} } = this.#options;
    if (this.#isClosed || this.#reading >= MAX_READING || this.#reads.rests()) {
      onOutcome("resting");
      return undefined;
    }
    const signal = AbortSignal.timeout(lookUpMs);
    this.#reading += 1;
    try {
      const bytes = await unlessAborted(objects.read(name, { signal, maxBytes: MAX_BYTES }), signal);
      this.#reads.succeeded();
      const opened = bytes === undefined ? undefined : this.#open<T>(name, bytes);
      const isFresh = opened !== undefined && this.#now() - opened.made < maxAgeMs;
      onOutcome(isFresh ? "hit" : bytes !== undefined && opened === undefined ? "damaged" : "miss");
      return isFresh ? opened : undefined;
    } catch {
      this.#reads.failed();
      onOutcome(signal.aborted ? "late" : "fault");
      return undefined;
    } finally {
      this.#reading -= 1;
    }
  }

  #write(name: string, facts: object, bytes: Uint8Array): void {
    const { onOutcome = () => {} } = this.#options;
    const isFull = this.#waiting.length >= MAX_WAITING || bytes.byteLength > MAX_BYTES - 65_536;
    if (this.#isClosed || isFull || this.#writes.rests()) {
      onOutcome("dropped");
      return;
    }
    this.#waiting.push(() => this.#send(name, this.#seal(name, { facts, made: this.#now() }, bytes)));
    this.#feed();
  }

  #feed(): void {
    while (this.#running.size < WRITERS) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const running: Promise<void> = next().finally(() => {
        this.#running.delete(running);
        this.#feed();
      });
      this.#running.add(running);
    }
  }

  async #send(name: string, object: Uint8Array<ArrayBuffer>): Promise<void> {
    const { objects, onOutcome = () => {} } = this.#options;
    try {
      await unlessAborted(objects.write(name, object), AbortSignal.timeout(WRITE_MS));
      this.#writes.succeeded();
      onOutcome("stored");
    } catch {
      this.#writes.failed();
      onOutcome("dropped");
    }
  }

  #macOf(name: string, content: Uint8Array): Buffer {
    return createHmac("sha256", this.#options.secret).update(`${name}\n`).update(content).digest();
  }

  #seal(name: string, envelope: Envelope<object>, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const head = Buffer.from(`${MAGIC}${JSON.stringify(envelope)}\n`);
    const content = Buffer.concat([head, bytes]);
    return new Uint8Array(Buffer.concat([content, this.#macOf(name, content)]));
  }

  #open<T>(name: string, object: Uint8Array): (Envelope<T> & { readonly bytes: Uint8Array<ArrayBuffer> }) | undefined {
    if (object.byteLength < MAGIC.length + MAC_BYTES) return undefined;
    const content = object.subarray(0, -MAC_BYTES);
    if (!timingSafeEqual(object.subarray(-MAC_BYTES), this.#macOf(name, content))) return undefined;
    const end = content.indexOf(10, MAGIC.length);
    const envelope = JSON.parse(Buffer.from(content.subarray(MAGIC.length, end)).toString()) as Envelope<T>;
    return { ...envelope, bytes: content.slice(end + 1) as Uint8Array<ArrayBuffer> };
  }
}

const hashOf = (kind: string, text: string): string =>
  createHash("sha256").update(`${kind}\n${RENDER_VERSION}\n`).update(text).digest("hex");
/** The hash first, so that folders and partitions by the first characters are alike. */
const imageName = (key: string): string => `${hashOf("image", key)}-i${RENDER_VERSION}`;
const answerName = (address: string): string => `${hashOf("answer", address)}-a${RENDER_VERSION}`;
