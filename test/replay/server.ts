import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerOf } from "./exact.ts";
import { createFaults, type Fault } from "./faults.ts";
import type { ReplayAnswer, ReplayRequest } from "./messages.ts";
import { resolveAllNames } from "./names.ts";
import { type Recordings, readRecordings } from "./recordings.ts";
import { REAL_HOST, type ReplayFetch, replayFetch } from "./replay-fetch.ts";
import { type Credentials, createWorld, type World } from "./world.ts";

/** A request that was answered. */
export interface ReplayRecord {
  readonly method: string;
  /** The real address. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** 0 where the connection was broken. */
  readonly status: number;
}

/** The archives on one loopback port. */
export interface Replay {
  /** `http://127.0.0.1:port`. The host that is meant stands in the header `x-replay-host`, else in `Host`. */
  readonly url: string;
  readonly recordings: Recordings;
  readonly world: World;
  readonly credentials: Credentials;
  /** Every request so far, in order. */
  readonly records: readonly ReplayRecord[];
  /** Requests whose method and address hold a text. */
  asked(match: string): readonly ReplayRecord[];
  /** Forgets requests and switches faults off. */
  reset(): void;
  /** `fetch` for real addresses: each request goes to the port. Unknown hosts fail as names that do not resolve. */
  readonly fetch: ReplayFetch;
  /** Puts `fetch` in the place of the global one, and lets host names resolve. @returns what undoes both. */
  install(): () => void;
  /** Breaks requests whose method and address hold a text. @returns what mends them. */
  fail(match: string, answer: number | string | ReplayAnswer | "broken", times?: number): () => void;
  /** Delays their answers by milliseconds. @returns what ends that. */
  slow(match: string, delay: number): () => void;
  close(): Promise<void>;
}

export interface ReplayOptions {
  /** Folder that SWATH_FIXTURES names. */
  readonly fixtures: string;
  /** Milliseconds since 1970, for signatures, tokens and rates. Default: the clock. */
  readonly now?: () => number;
}

export const CREDENTIALS: Credentials = {
  amazon: { accessKeyId: "AKIAREPLAYAMAZON0001", secretAccessKey: "replay/amazon+secret" },
  eodata: { accessKeyId: "REPLAYEODATA00000001", secretAccessKey: "replay/eodata+secret" },
  earthdata: "replay-earthdata-token",
};

/** Starts the archives: recorded answers, stand-ins behind them, and the hosts of their files. */
export async function startReplay({ fixtures, now = Date.now }: ReplayOptions): Promise<Replay> {
  const recordings = readRecordings(fixtures);
  const world = createWorld(recordings, CREDENTIALS, now);
  const faults = createFaults();
  const records: ReplayRecord[] = [];

  const answer = async (request: ReplayRequest): Promise<ReplayAnswer | "broken"> => {
    const fault = faults.of(request);
    if (fault.delay > 0) await new Promise((done) => setTimeout(done, fault.delay));
    if (fault.answer !== undefined) return fault.answer;
    const host = world.hostOf(request.url);
    return host === undefined ? { status: 421, body: `No host is called ${request.url.host}.` } : host(request);
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, answer, records).catch((error: unknown) => {
      outgoing.writeHead(500, { "content-type": "text/plain" });
      outgoing.end(String(error instanceof Error ? error.stack : error));
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetch = replayFetch(url);
  const add = (fault: Fault): (() => void) => faults.add(fault);
  return {
    url,
    recordings,
    world,
    credentials: CREDENTIALS,
    records,
    asked: (match) => records.filter((record) => `${record.method} ${record.url}`.includes(match)),
    reset: () => {
      records.length = 0;
      faults.clear();
    },
    fetch,
    install: () => {
      const before = globalThis.fetch;
      globalThis.fetch = fetch as typeof globalThis.fetch;
      const forgetNames = resolveAllNames();
      return () => {
        globalThis.fetch = before;
        forgetNames();
      };
    },
    fail: (match, what, times) => {
      const named = typeof what === "string" && what !== "broken" ? quotedAnswer(recordings, what) : what;
      const answer = typeof named === "number" ? { status: named } : (named as ReplayAnswer | "broken");
      return add({ match, answer, ...(times === undefined ? {} : { times }) });
    },
    slow: (match, delay) => add({ match, delay }),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** The refusal that users quote, by the name of its file in `errors`. */
function quotedAnswer({ quoted }: Recordings, name: string): ReplayAnswer {
  const found = quoted.get(name);
  if (found === undefined) throw new RangeError(`Expected one of ${[...quoted.keys()].join(", ")}, got "${name}".`);
  return answerOf(found);
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: ReplayRequest) => Promise<ReplayAnswer | "broken">,
  records: ReplayRecord[],
): Promise<void> {
  const request = await toRequest(incoming);
  const answered = await answer(request);
  const { method, url, headers, body } = request;
  const status = answered === "broken" ? 0 : answered.status;
  records.push({ method, url: url.href, headers, body: body.toString(), status });
  if (answered === "broken") {
    incoming.socket.destroy();
    return;
  }
  const { headers: more = {}, body: content } = answered;
  const isObject = typeof content === "object" && !(content instanceof Uint8Array);
  outgoing.writeHead(status, { ...(isObject ? { "content-type": "application/json" } : {}), ...more });
  outgoing.end(isObject ? JSON.stringify(content) : content);
}

async function toRequest(incoming: IncomingMessage): Promise<ReplayRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { [REAL_HOST]: real, ...headers } = incoming.headers;
  const host = String(real ?? headers.host);
  const target = incoming.url ?? "/";
  return {
    method: incoming.method ?? "GET",
    url: new URL(target, `https://${host}`),
    target,
    headers: { ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])), host },
    body: Buffer.concat(chunks),
  };
}
