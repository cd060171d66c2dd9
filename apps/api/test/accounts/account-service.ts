import { createHash, randomBytes } from "node:crypto";
import type { Mail, Mailer, People } from "@swath/accounts";
import type { Store } from "@swath/store";
import type { StoreSettings } from "@swath/store/node";
import { pino } from "pino";
import { expect, vi } from "vitest";
import type { EngineHost } from "../../../../test/tools/engines.ts";
import { createMetrics, type MetricsRegistry } from "../../src/metrics/metrics.ts";
import { openStore } from "../../src/open/open-store.ts";
import type { Services } from "../../src/operations/services.ts";
import { FULL, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import { accountsOn } from "./accounts-on.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The website of test services: their own origin. */
export const SITE = "http://service.test";

const WAITING_MAILS = "select count(*) as mails from mail";

/** The secret of a new link for an address, which no mail has carried. */
export async function linkFor(store: Store, email: string, now: number): Promise<string> {
  const link = randomBytes(20).toString("hex");
  const row = [createHash("sha256").update(link).digest("hex"), email, now, now + HOUR];
  await store.query("insert into sign_in_link(hash, email, created, expires) values ($1, $2, $3, $4)", row);
  return link;
}

/** One node of a service with accounts, whose mails are kept in memory. */
export interface AccountNode extends TestService {
  readonly store: Store;
  readonly accounts: People;
  readonly clock: { now: number };
  readonly mails: Mail[];
  /** Lines of the log. */
  readonly logged: string[];
  readonly metrics: MetricsRegistry;
  /** Sends a body as JSON with a bearer token, or without one. */
  send(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** The secret of the newest mailed link, once no mail waits on any node. */
  mailedToken(): Promise<string>;
  /** Signs up or in, and gives the session's token. */
  signIn(email: string): Promise<string>;
  /** A new key of the account of a session. */
  createKey(session: string, body?: object): Promise<{ readonly id: string; readonly secret: string }>;
  close(): Promise<void>;
}

export interface NodeOptions {
  readonly clock?: { now: number };
  readonly keyPrefix?: string;
  /** Folder of mails, in place of `mailer`. */
  readonly outbox?: string;
  readonly services?: Partial<Services>;
  /** Fails each mail. */
  readonly mailFault?: Error;
  /** No mail is ever taken. */
  readonly mailHangs?: boolean;
  /** In place of one that keeps mails in memory. */
  readonly mailer?: Mailer;
  /** The mails that all nodes on a store have sent: each may send what another has taken. */
  readonly mails?: Mail[];
}

export async function accountNode(
  settings: StoreSettings,
  { clock = { now: Date.UTC(2026, 5, 16, 12) }, keyPrefix = "swath", outbox, ...options }: NodeOptions = {},
): Promise<AccountNode> {
  const store = await openStore(settings);
  const now = (): number => clock.now;
  const logged: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
  const { mails = [] } = options;
  const inMemory: Mailer = {
    send: async (mail) => {
      if (options.mailFault !== undefined) throw options.mailFault;
      if (options.mailHangs === true) await new Promise(() => {});
      mails.push(mail);
    },
    close: () => {},
  };
  const mailer = options.mailer ?? (outbox === undefined ? inMemory : undefined);
  const opened = accountsOn(store, {
    now,
    keyPrefix,
    log,
    ...(mailer === undefined ? {} : { mailer }),
    ...(outbox === undefined ? {} : { outbox }),
  });
  const { accounts, addressLimits, maps } = opened;
  if (accounts === undefined) throw new Error("There are accounts where mails can be sent.");
  const metrics = createMetrics();
  const services = await sandboxServices({
    registry: FULL.registry,
    accounts,
    addressLimits,
    maps,
    metrics,
    now: () => new Date(clock.now),
    log,
    http: { publicUrl: SITE, trustedProxies: 1 },
    ...options.services,
  });
  const service = await testService(services, { profile: FULL });
  const send: AccountNode["send"] = (method, path, body, token, headers = {}) =>
    service.request(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  const mailedToken = async (): Promise<string> => {
    const noneWaits = async (): Promise<void> => expect(Number((await store.query(WAITING_MAILS))[0]?.mails)).toBe(0);
    // for what hangs: mails are sent in the background
    await vi.waitFor(noneWaits, { timeout: 100_000 });
    return /#token=(\w+)/.exec(mails.at(-1)?.text ?? "")?.[1] ?? "";
  };
  return {
    ...service,
    store,
    accounts,
    clock,
    mails,
    logged,
    metrics,
    send,
    mailedToken,
    async signIn(email) {
      const asked = await send("POST", "/v1/account", { email });
      if (asked.status !== 202) throw new Error(`sign-up: ${asked.status} ${await asked.text()}`);
      const answer = await send("POST", "/v1/account/session", { token: await mailedToken() });
      if (answer.status !== 201) throw new Error(`session: ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as { accessToken: string }).accessToken;
    },
    async createKey(session, body = { name: "a key" }) {
      const answer = await send("POST", "/v1/keys", body, session);
      if (answer.status !== 201) throw new Error(`key: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { id: string; secret: string };
    },
    async close() {
      await accounts.mails.close(0);
      await opened.close();
      await store.close();
    },
  };
}

/** Two nodes of a service on one store, with one clock: either may send a mail that the other has taken. */
export async function twoNodes(settings: StoreSettings): Promise<readonly [AccountNode, AccountNode]> {
  const options: NodeOptions = { clock: { now: Date.UTC(2026, 5, 16, 12) }, mails: [] };
  return [await accountNode(settings, options), await accountNode(settings, options)];
}

/** Runs tests with a node each on a new store of an engine. */
export function nodesOn(
  host: () => EngineHost,
): (work: (node: AccountNode) => Promise<void>, options?: NodeOptions) => Promise<void> {
  return async (work, options = {}) => {
    const node = await accountNode(await host().fresh(), options);
    try {
      await work(node);
    } finally {
      await node.close();
    }
  };
}
