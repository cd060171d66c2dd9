import type { Bbox } from "./state.ts";

/** RFC 9457 problem document, as the service answers it. */
export interface Problem {
  readonly type?: string;
  readonly title: string;
  readonly status?: number;
  readonly detail?: string;
  readonly code?: string;
  readonly requestId?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly retryAfter?: number;
  readonly limits?: Readonly<Record<string, number>>;
}

/** A response that is an error. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code = "api";
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail ?? problem.title, options);
    this.problem = problem;
  }
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
    Record<string, { readonly "proj:epsg"?: number; readonly "proj:transform"?: readonly number[] }>
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

export interface Keys {
  /** The key in use; undefined until one is given. */
  current(): string | undefined;
  /** Prompts for a key; `rejected` is the reason why the last one was refused. */
  ask(rejected?: string): Promise<string>;
}

/** Waits before a rate-limited request is sent again only where it is not longer than this. */
const LONGEST_WAIT_S = 3;

async function problemOf(response: Response): Promise<Problem> {
  const fallback: Problem = {
    title: response.statusText || "Unexpected answer",
    status: response.status,
    detail: `The service answered ${response.status}.`,
  };
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null && "title" in body ? (body as Problem) : fallback;
  } catch {
    return fallback;
  }
}

const pause = (milliseconds: number, signal?: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** The requests of this page to the service. */
export class Api {
  readonly base: URL;
  readonly #keys: Keys;

  constructor(base: URL, keys: Keys) {
    this.base = base;
    this.#keys = keys;
  }

  address(path: string): string {
    return new URL(path, this.base).href;
  }

  /** Headers for an address: the key is sent to this service only. */
  headersFor(url: string): Record<string, string> {
    const key = this.#keys.current();
    return key !== undefined && new URL(url, this.base).href.startsWith(this.base.href) ? { "X-API-Key": key } : {};
  }

  /**
   * Sends a request; prompts for the key where the service requires one, and waits once where it says "in a moment".
   *
   * @throws {ApiError} for every answer that is not 2xx, and where there is no answer.
   */
  async send(path: string, init: RequestInit & { keyed?: boolean } = {}): Promise<Response> {
    const { keyed = true, ...rest } = init;
    const url = this.address(path);
    if (keyed && this.#keys.current() === undefined) await this.#keys.ask();
    for (let attempt = 0; ; attempt++) {
      const response = await this.#fetch(url, { ...rest, headers: { ...this.headersFor(url), ...rest.headers } });
      if (response.ok) return response;
      const problem = await problemOf(response);
      if (response.status === 401 && attempt < 3) {
        await this.#keys.ask(problem.detail ?? problem.title);
        continue;
      }
      const wait = problem.retryAfter ?? Number.POSITIVE_INFINITY;
      if (response.status === 429 && wait <= LONGEST_WAIT_S && attempt < 3) {
        await pause(wait * 1000, rest.signal);
        continue;
      }
      throw new ApiError(problem);
    }
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, init);
    } catch (cause) {
      if (init.signal?.aborted === true) throw cause;
      throw new ApiError({ title: "No answer", detail: "The service could not be reached. Is it running?" }, { cause });
    }
  }

  async json<T>(path: string, init?: RequestInit & { keyed?: boolean }): Promise<T> {
    return (await this.send(path, init)).json() as Promise<T>;
  }

  post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    return this.send(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
  }

  async search(body: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<ItemPage> {
    return (await this.post("v1/search", body, signal)).json() as Promise<ItemPage>;
  }
}
