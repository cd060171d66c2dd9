import { ApiError, fetchAnswer } from "../api/api-error.ts";
import type { Person } from "../api/person.ts";

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly tier: string;
  /** RFC 3339. */
  readonly created: string;
  readonly limits: {
    readonly unitsPerMonth: number;
    readonly unitsPerMinute: number;
    readonly requestsPerMinute: number;
    readonly concurrentRequests: number;
    readonly keys: number;
  };
  readonly keys: { readonly active: number; readonly max: number };
}

export const SCOPES = ["data", "account"] as const;
export type Scope = (typeof SCOPES)[number];

export interface Key {
  readonly id: string;
  readonly name: string;
  /** The beginning of the secret. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly created: string;
  readonly lastUsed: string | null;
  readonly expires: string | null;
  readonly status: "active" | "expired" | "revoked" | "suspended";
}

export interface NewKey extends Key {
  readonly secret: string;
}

export interface KeyRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** 1 to 365; absent: the key does not expire. */
  readonly expiresInDays?: number;
}

/** A map token, without the token. */
export interface MapToken {
  readonly id: string;
  readonly name: string | null;
  /** The beginning of the token. */
  readonly prefix: string;
  readonly status: "active" | "expired" | "ended";
  /** null: all. */
  readonly presets: readonly string[] | null;
  readonly origins: readonly string[] | null;
  readonly unitsPerDay: number;
  readonly created: string;
  readonly expires: string;
}

export interface NewMap extends MapToken {
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

export interface MapRequest {
  readonly name: string;
  readonly presets?: readonly string[];
  readonly origins?: readonly string[];
  readonly unitsPerDay: number;
  readonly expiresInDays: number;
}

export interface PresetName {
  readonly id: string;
  readonly title: string;
}

interface Counts {
  readonly units: number;
  readonly requests: number;
}

/** Units and requests of one month, UTC. */
export interface Usage {
  readonly period: { readonly from: string; readonly to: string };
  readonly units: {
    /** Units of the month; null: no limit. */
    readonly limit: number | null;
    readonly spent: number;
    readonly remaining: number | null;
    readonly restricted: boolean;
    readonly restrictedRemaining: number | null;
  };
  readonly byDay: readonly (Counts & { readonly date: string })[];
  readonly byRoute: readonly (Counts & { readonly route: string })[];
  readonly keys: readonly (Counts & { readonly id: string; readonly prefix: string | null })[];
}

export interface AccountApiOptions {
  /** Root of the service, with a trailing slash. */
  readonly base: URL;
  readonly person: Person;
  /** The service does not know the session any more. */
  readonly onEnded: () => void;
}

/** The requests of the account page. */
export class AccountApi {
  readonly #base: URL;
  readonly #person: Person;
  readonly #onEnded: () => void;

  constructor({ base, person, onEnded }: AccountApiOptions) {
    this.#base = base;
    this.#person = person;
    this.#onEnded = onEnded;
  }

  /** Has a link mailed; `outbox` is whether mails are files of the server. */
  async mailLink(email: string): Promise<{ readonly outbox: boolean }> {
    const { headers } = await this.#send("POST", "v1/account", { email });
    return { outbox: headers.get("X-Mail-Delivery") === "outbox" };
  }

  /** Begins a session with the token of a mailed link; the session before it, if there is one, ends. */
  async signIn(token: string): Promise<Account> {
    const before = this.#person.session;
    const response = await this.#send("POST", "v1/account/session", { token });
    const { accessToken, account } = (await response.json()) as { accessToken: string; account: Account };
    this.#person.session = accessToken;
    // the new session is good whether or not the service hears of the end of the old one
    if (before !== undefined) await this.#end(before).catch(() => undefined);
    return account;
  }

  /** Ends the session here, and at the service where it can be reached. */
  async signOut(): Promise<void> {
    const { session } = this.#person;
    this.#person.session = undefined;
    if (session !== undefined) await this.#end(session);
  }

  /** @throws {ApiError} where the service does not answer; one that ended before is no error. */
  async #end(session: string): Promise<void> {
    const headers = { Authorization: `Bearer ${session}` };
    try {
      await fetchAnswer(this.#address("v1/account/session"), { method: "DELETE", headers });
    } catch (error) {
      if (!(error instanceof ApiError && error.problem.status === 401)) throw error;
    }
  }

  account(): Promise<Account> {
    return this.#json("GET", "v1/account");
  }

  rename(name: string): Promise<Account> {
    return this.#json("PATCH", "v1/account", { name });
  }

  /** Deletes the account, and with it the session. */
  async remove(): Promise<void> {
    await this.#inSession("DELETE", "v1/account");
    this.#person.session = undefined;
  }

  async keys(): Promise<readonly Key[]> {
    return (await this.#json<{ readonly keys: readonly Key[] }>("GET", "v1/keys")).keys;
  }

  createKey(asked: KeyRequest): Promise<NewKey> {
    return this.#json("POST", "v1/keys", asked);
  }

  async revoke(id: string): Promise<void> {
    await this.#inSession("DELETE", `v1/keys/${encodeURIComponent(id)}`);
  }

  async maps(): Promise<readonly MapToken[]> {
    return (await this.#json<{ readonly maps: readonly MapToken[] }>("GET", "v1/maps")).maps;
  }

  createMap(asked: MapRequest): Promise<NewMap> {
    return this.#json("POST", "v1/maps", asked);
  }

  async endMap(id: string): Promise<void> {
    await this.#inSession("DELETE", `v1/maps/${encodeURIComponent(id)}`);
  }

  async presets(): Promise<readonly PresetName[]> {
    return (await this.#json<{ readonly presets: readonly PresetName[] }>("GET", "v1/presets")).presets;
  }

  /** @param month `2026-11`. */
  usage(month: string): Promise<Usage> {
    return this.#json("GET", `v1/usage?month=${month}`);
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T> {
    return (await this.#inSession(method, path, body)).json() as Promise<T>;
  }

  async #inSession(method: string, path: string, body?: unknown): Promise<Response> {
    const { session } = this.#person;
    try {
      return await this.#send(method, path, body, session);
    } catch (error) {
      if (error instanceof ApiError && error.problem.status === 401 && this.#person.session === session) {
        this.#person.session = undefined;
        this.#onEnded();
      }
      throw error;
    }
  }

  /** @throws {ApiError} for every answer that is not 2xx, and where there is none. */
  #send(method: string, path: string, body?: unknown, session?: string): Promise<Response> {
    return fetchAnswer(this.#address(path), {
      method,
      cache: "no-store",
      headers: {
        ...(session === undefined ? {} : { Authorization: `Bearer ${session}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  #address(path: string): string {
    return new URL(path, this.#base).href;
  }
}
