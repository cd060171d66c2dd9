import { ApiError, type Problem } from "./api-error.ts";
import type { Guest } from "./guest.ts";
import type { Person } from "./person.ts";

/**
 * Purposes of requests: documents and searches usually need no key or token, a guest may see images, data need a key.
 */
export type Need = "documents" | "search" | "images" | "data";

export type Headers = Readonly<Record<string, string>>;

/** The source of the keys and tokens that requests have. */
export interface HeaderSource {
  headersFor(need: Need): Promise<Headers>;
  /** @returns whether a refused request may be sent again */
  recover(used: Headers, problem: Problem): Promise<boolean>;
}

export interface KeyQuestion {
  /** The reason why a key is asked for now; absent: at the start. */
  readonly reason?: string;
  /** Whether there is something to see without a key, so that the dialog can be closed. */
  readonly canDismiss: boolean;
}

export interface CredentialsOptions {
  readonly person: Person;
  /** Absent: the service has no guests. */
  readonly guest?: Guest;
  /** Prompts for a key; undefined: the user gave none. */
  readonly ask: (question: KeyQuestion) => Promise<string | undefined>;
}

const NONE: Headers = {};
const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });

/**
 * Chooses the key or token of each request: the user's own for all, a guest's for images, and a prompt where there is
 * neither.
 */
export class Credentials implements HeaderSource {
  readonly #person: Person;
  readonly #guest: Guest | undefined;
  readonly #ask: CredentialsOptions["ask"];
  readonly #changes = new Set<() => void>();
  #asking: Promise<string | undefined> | undefined;
  #isDeclined = false;

  constructor({ person, guest, ask }: CredentialsOptions) {
    this.#person = person;
    this.#guest = guest;
    this.#ask = ask;
  }

  /** Whether the user has a key or a session. */
  get hasOwn(): boolean {
    return this.#person.headers !== undefined;
  }

  get hasKey(): boolean {
    return this.#person.key !== undefined;
  }

  /**
   * Runs `listener` after the user's key or session has changed.
   *
   * @returns a function that ends it
   */
  onChange(listener: () => void): () => void {
    this.#changes.add(listener);
    return () => void this.#changes.delete(listener);
  }

  /**
   * Headers for a request.
   *
   * @throws {ApiError} where a key is needed and none is given.
   */
  async headersFor(need: Need): Promise<Headers> {
    if (need === "documents") return NONE;
    const own = this.#person.headers;
    if (own !== undefined) return own;
    if (need === "images") {
      const token = await this.#guest?.token();
      // finished images are given to everybody
      return token === undefined ? NONE : bearer(token);
    }
    if (need !== "data") return NONE;
    await this.ask();
    return this.#person.headers ?? NONE;
  }

  /**
   * Reacts to a refused request: gets another token, or asks for the user's key.
   *
   * @param used headers that the request had.
   * @returns whether the request may be sent again, with new headers.
   * @throws {ApiError} where a key is needed and none is given.
   */
  async recover(used: Headers, { status, code, detail }: Problem): Promise<boolean> {
    const key = used["X-API-Key"];
    const token = used.Authorization?.replace("Bearer ", "");
    if (key !== undefined) {
      if (status !== 401) return false;
      if (key === this.#person.key) await this.ask("This key is unknown or disabled.");
      return true;
    }
    if (token !== undefined && token === this.#person.session) {
      if (status !== 401) return false;
      this.#person.session = undefined;
      this.#notify();
      return true;
    }
    if (token !== undefined) return this.#recoverGuest(token, status, code);
    if (status !== 401) return false;
    if (!this.hasOwn) await this.#askOnce(this.#guest === undefined ? detail : this.#guest.refusal);
    return true;
  }

  async #recoverGuest(token: string, status: number | undefined, code: string | undefined): Promise<boolean> {
    if (status === 401) this.#guest?.drop(token);
    else if (code === "origin-not-allowed") this.#guest?.refuse();
    else if (code === "quota-exhausted") {
      this.#guest?.spend(token);
      if (!this.hasOwn) await this.#askOnce("A guest can look at so much an hour. To see more, give your key.");
    } else return false;
    return true;
  }

  /**
   * Prompts for a key for requests that the user did not start: the dialog is not opened again once it has been closed.
   */
  #askOnce(reason: string | undefined): Promise<void> {
    if (this.#isDeclined) throw missing();
    return this.ask(reason);
  }

  /**
   * Prompts for a key, once for all callers that ask meanwhile.
   *
   * @throws {ApiError} where none is given.
   */
  async ask(reason?: string): Promise<void> {
    const canDismiss = this.#guest !== undefined;
    this.#asking ??= this.#ask({ canDismiss, ...(reason === undefined ? {} : { reason }) }).finally(() => {
      this.#asking = undefined;
    });
    const key = await this.#asking;
    this.#isDeclined = key === undefined;
    if (key === undefined) throw missing();
    this.#person.key = key;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#changes) listener();
  }
}

function missing(): ApiError {
  return new ApiError({ title: "A key is needed", detail: "This needs an API key, which /account makes." });
}
