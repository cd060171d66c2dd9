import { CogError, type CogErrorCode } from "@swath/cog";
import type { Fetch } from "@swath/http";
import type { CredentialName } from "./credentials.ts";
import { type FileStorage, findServer, NO_STORAGE } from "./file-storage.ts";
import { HostPaces, type PaceStates, paceStates } from "./host-paces.ts";
import { createUrlTokens, TokenServiceError, type UrlTokens } from "./signed-urls.ts";

/** Whether an archive accepted a key or token of the service the last time. */
export type CredentialState = "accepted" | "refused";

/** The state that the threads of a process share when they read files: tokens, and the faults of keys. */
export interface SharedAccess extends UrlTokens {
  credential(name: CredentialName, state: CredentialState): void;
}

/** The access of the thread that asks token services. */
export interface ProcessAccess extends SharedAccess {
  /** Whether an archive has refused a key or token within the last minutes, and none has accepted it since. */
  isRefused(name: CredentialName): boolean;
}

export interface SharedAccessOptions {
  readonly storage?: FileStorage | undefined;
  readonly paces?: PaceStates | undefined;
  readonly fetch?: Fetch | undefined;
  /** Called when a key or token is refused that was not, and when it is accepted again. */
  readonly onCredential?: (name: CredentialName, state: CredentialState) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Time after which a refusal is forgotten that nobody has met again. */
const REFUSED_MS = 600_000;

/** Makes the state that the thread which asks token services shares with the others. */
export function createSharedAccess(options: SharedAccessOptions = {}): ProcessAccess {
  const { storage = NO_STORAGE, fetch, onCredential, now = Date.now } = options;
  const paces = new HostPaces(options.paces ?? paceStates(storage, 1));
  const tokens = createUrlTokens({ fetch, now, paceOf: (url) => paces.ofServer(url, findServer(storage, url)) });
  const refused = new Map<CredentialName, number>();
  const isRefused = (name: CredentialName): boolean =>
    now() - (refused.get(name) ?? Number.NEGATIVE_INFINITY) < REFUSED_MS;
  return {
    ...tokens,
    isRefused,
    credential(name, state) {
      const was = isRefused(name);
      if (state === "refused") refused.set(name, now());
      else refused.delete(name);
      if (was !== isRefused(name)) onCredential?.(name, state);
    },
  };
}

/** A message of a thread to the one with the tokens. */
export type AccessRequest =
  | { readonly what: "token"; readonly ask: number; readonly service: string; readonly container: string }
  | { readonly what: "cancel"; readonly ask: number }
  | {
      readonly what: "forget";
      readonly service: string;
      readonly container: string;
      readonly query: string | undefined;
    }
  | { readonly what: "credential"; readonly name: CredentialName; readonly state: CredentialState };

/** The answer to `token`: errors do not cross threads as such. */
export interface AccessAnswer {
  readonly ask: number;
  readonly query?: string | undefined;
  readonly failure?: { readonly code: CogErrorCode; readonly message: string; readonly retryAfter?: number };
}

/** Pause between two reports of the same state of a key or token, milliseconds. */
const REPEAT_MS = 10_000;

/** The access of a thread that asks another one, by messages. */
export class ThreadAccess implements SharedAccess {
  readonly #send: (request: AccessRequest) => void;
  readonly #asked = new Map<number, (answer: AccessAnswer) => void>();
  readonly #now: () => number;
  /** The states that were last sent on, and when, milliseconds. */
  readonly #sent = new Map<CredentialName, { readonly state: CredentialState; readonly at: number }>();
  #next = 1;

  constructor(send: (request: AccessRequest) => void, now: () => number = () => performance.now()) {
    this.#send = send;
    this.#now = now;
  }

  /** Takes an answer of the other thread. */
  receive(answer: AccessAnswer): void {
    this.#asked.get(answer.ask)?.(answer);
  }

  token(service: string, container: string, signal?: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const ask = this.#next++;
      const end = (): void => {
        this.#asked.delete(ask);
        signal?.removeEventListener("abort", abort);
      };
      const abort = (): void => {
        end();
        this.#send({ what: "cancel", ask });
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#asked.set(ask, ({ query, failure }) => {
        end();
        if (failure === undefined) resolve(query);
        else reject(new TokenServiceError(failure.code, failure.message, failure));
      });
      this.#send({ what: "token", ask, service, container });
    });
  }

  forget(service: string, container: string, query: string | undefined): void {
    this.#send({ what: "forget", service, container, query });
  }

  credential(name: CredentialName, state: CredentialState): void {
    // each read says so, and another thread may have met the opposite: the same state is sent on now and then
    const last = this.#sent.get(name);
    const at = this.#now();
    if (last?.state === state && at - last.at < REPEAT_MS) return;
    this.#sent.set(name, { state, at });
    this.#send({ what: "credential", name, state });
  }
}

/** Carries out what one thread asks. */
export class AccessServer {
  readonly #access: SharedAccess;
  readonly #send: (answer: AccessAnswer) => void;
  readonly #running = new Map<number, AbortController>();

  constructor(access: SharedAccess, send: (answer: AccessAnswer) => void) {
    this.#access = access;
    this.#send = send;
  }

  receive(request: AccessRequest): void {
    if (request.what === "token") void this.#answer(request.ask, request.service, request.container);
    else if (request.what === "cancel") this.#running.get(request.ask)?.abort(new Error("Nobody waits."));
    else if (request.what === "forget") this.#access.forget(request.service, request.container, request.query);
    else this.#access.credential(request.name, request.state);
  }

  /** Ends what the thread waits for: it is gone. */
  close(): void {
    for (const controller of this.#running.values()) controller.abort(new Error("The thread has ended."));
    this.#running.clear();
  }

  async #answer(ask: number, service: string, container: string): Promise<void> {
    const controller = new AbortController();
    this.#running.set(ask, controller);
    try {
      const query = await this.#access.token(service, container, controller.signal);
      this.#send({ ask, query });
    } catch (error) {
      if (controller.signal.aborted) return;
      const { code, message, retryAfter } =
        error instanceof CogError ? error : new CogError("unavailable", `No token: ${String(error)}`);
      this.#send({ ask, failure: { code, message, ...(retryAfter === undefined ? {} : { retryAfter }) } });
    } finally {
      this.#running.delete(ask);
    }
  }
}
