import { ApiError, fetchAnswer } from "./api-error.ts";
import type { Credentials, HeaderSource, Need } from "./credentials.ts";
import { RequestGate } from "./request-gate.ts";
import type { ItemPage } from "./types.ts";

/** Waits before a rate-limited request is sent again only where it is not longer than this. */
const LONGEST_WAIT_S = 3;
/**
 * Times that a request is sent again: after a refused key or token or a full minute, and where too many run at a time.
 */
const ATTEMPTS = 3;
const CROWDED_ATTEMPTS = 20;
/** Requests at a time, as long as the service does not say that fewer are allowed. */
const PARALLEL = 16;

const pause = (milliseconds: number, signal?: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

export interface Send extends RequestInit {
  /** The purpose of the request (`data`). */
  readonly need?: Need;
}

/** The requests of this page to the service. */
export class Api<C extends HeaderSource = Credentials> {
  readonly base: URL;
  readonly credentials: C;
  readonly #gate = new RequestGate(PARALLEL);

  constructor(base: URL, credentials: C) {
    this.base = base;
    this.credentials = credentials;
  }

  address(path: string): string {
    return new URL(path, this.base).href;
  }

  /**
   * Sends a request; prompts for the key where the service requires one, and waits where it says "in a moment".
   *
   * @throws {ApiError} for every answer that is not 2xx, where there is no answer, and where no key is given.
   */
  async send(path: string, { need = "data", ...init }: Send = {}): Promise<Response> {
    const url = this.address(path);
    for (let attempt = 0; ; attempt++) {
      // keys and tokens are sent to this service only
      const own = url.startsWith(this.base.href) ? await this.credentials.headersFor(need) : {};
      const headers = { ...own, ...(init.headers as Record<string, string> | undefined) };
      try {
        return await this.#gate.run(() => fetchAnswer(url, { ...init, headers }), init.signal);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { status, code, retryAfter = Number.POSITIVE_INFINITY, limits } = error.problem;
        if (attempt < ATTEMPTS && (await this.credentials.recover(own, error.problem))) continue;
        const isCrowded = code === "concurrency-limit";
        if (isCrowded) this.#gate.lower(limits?.concurrentRequests ?? 1);
        const isBrief = status === 429 && retryAfter <= LONGEST_WAIT_S;
        if (!isBrief || attempt >= (isCrowded ? CROWDED_ATTEMPTS : ATTEMPTS)) throw error;
        await pause(retryAfter * 1000, init.signal);
      }
    }
  }

  async json<T>(path: string, init?: Send): Promise<T> {
    return (await this.send(path, init)).json() as Promise<T>;
  }

  post(path: string, body: unknown, init: Send = {}): Promise<Response> {
    return this.send(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      ...init,
    });
  }

  async search(body: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<ItemPage> {
    const response = await this.post("v1/search", body, { need: "search", signal: signal ?? null });
    return response.json() as Promise<ItemPage>;
  }
}
