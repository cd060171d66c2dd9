import { ApiError, fetchAnswer, type Problem, problemOf } from "./api-error.ts";
import type { Credentials, Need } from "./credentials.ts";
import { RequestGate } from "./request-gate.ts";
import type { Bbox } from "./state.ts";

/** The part of the landing page that is read here. */
export interface Landing {
  readonly links: readonly { readonly rel: string }[];
}

export interface Recipe {
  readonly rescale?: readonly [number, number];
  readonly colormap?: string;
  readonly minzoom?: number;
  readonly maxzoom?: number;
}

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly collection: string;
  readonly collections?: readonly string[];
  readonly bands: readonly string[];
  readonly expression?: string;
  readonly rescale?: readonly [number, number];
  readonly colormap?: string;
  readonly defaultWindow?: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly "svc:recipes"?: Readonly<Record<string, Recipe>>;
}

export interface Band {
  readonly name: string;
  readonly common_name?: string;
  readonly description?: string;
  readonly center_wavelength?: number;
  readonly gsd?: number;
  readonly unit?: string;
}

export interface Collection {
  readonly id: string;
  readonly title?: string;
  readonly bands?: readonly Band[];
  readonly extent: {
    readonly spatial: { readonly bbox: readonly Bbox[] };
    readonly temporal: { readonly interval: readonly (readonly [string | null, string | null])[] };
  };
  readonly "svc:attribution"?: string;
  readonly "svc:units"?: readonly string[];
  /** Collections that a virtual one is made of. */
  readonly "svc:members"?: readonly string[];
  /** Common names that resolve on every member. */
  readonly "svc:bands_common"?: readonly string[];
}

export interface Item {
  readonly id: string;
  readonly collection: string;
  readonly bbox: Bbox;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly properties: {
    readonly datetime: string;
    readonly platform?: string;
    readonly "eo:cloud_cover"?: number;
    readonly "proj:epsg"?: number;
  };
  readonly assets: Readonly<
    Record<
      string,
      {
        readonly "svc:band"?: string;
        readonly "proj:epsg"?: number;
        readonly "proj:transform"?: readonly number[];
      }
    >
  >;
}

export interface ItemPage {
  readonly features: readonly Item[];
  readonly numberMatched?: number;
  readonly links: readonly { readonly rel: string; readonly body?: { readonly token?: string } }[];
}

export interface Job {
  readonly id: string;
  readonly status: "queued" | "running" | "done" | "failed";
  readonly progress?: number;
  readonly created?: string;
  readonly files?: readonly { readonly url?: string; readonly filename?: string; readonly bytes?: number }[];
  readonly items_used?: readonly string[];
  readonly error?: Problem;
  readonly links: readonly { readonly rel: string; readonly href: string; readonly title?: string }[];
}

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
export class Api {
  readonly base: URL;
  readonly credentials: Credentials;
  readonly #gate = new RequestGate(PARALLEL);

  constructor(base: URL, credentials: Credentials) {
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
      const response = await this.#gate.run(() => fetchAnswer(url, { ...init, headers }), init.signal);
      if (response.ok) return response;
      const problem = await problemOf(response);
      const { code, retryAfter = Number.POSITIVE_INFINITY, limits } = problem;
      if (attempt < ATTEMPTS && (await this.credentials.recover(own, problem))) continue;
      const isCrowded = code === "concurrency-limit";
      if (isCrowded) this.#gate.lower(limits?.concurrentRequests ?? 1);
      const isBrief = response.status === 429 && retryAfter <= LONGEST_WAIT_S;
      if (!isBrief || attempt >= (isCrowded ? CROWDED_ATTEMPTS : ATTEMPTS)) throw new ApiError(problem);
      await pause(retryAfter * 1000, init.signal);
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
