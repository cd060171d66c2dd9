import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Asked } from "./asked/asked.ts";
import { Normalizer, ownPath } from "./normalize.ts";
import { KEY, type Service, startService } from "./service.ts";

/** The recorded parts of an answer, by which two records are compared. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Hash of the body; of JSON and text after they are normalised. */
  readonly sha256: string;
  readonly bytes: number;
  /** JSON and text alone. */
  readonly body?: unknown;
}

export type Answers = Readonly<Record<string, Answer>>;

const HEADERS = [
  ...["Allow", "Cache-Control", "Content-Disposition", "Content-Location", "Content-Type", "ETag", "Link", "Location"],
  ...["Retry-After", "Vary", "WWW-Authenticate", "X-Attribution", "X-Sampled-At", "X-Scenes-Skipped"],
  ...["X-Scenes-Truncated", "X-Scenes-Used", "X-Units-Spent", "OpenEO-Costs"],
];
const JOB_MS = 120_000;

/** One service that is asked, and what its answers are remembered for. */
class Recorder {
  readonly answers: Record<string, Answer> = {};
  readonly #service: Service;
  readonly #normalizer = new Normalizer();
  #mcpSession: string | undefined;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Asks, and goes on to the files and jobs that the answer names. */
  async ask(asked: Asked): Promise<void> {
    const { response, bytes } = await this.#fetch(asked);
    const json = jsonOf(response, bytes);
    const job = ownPath(memberOf(json, "url")) ?? ownPath(response.headers.get("Location"));
    if (response.status === 202 && job !== undefined) this.#normalizer.name(job.split("/").at(-1) ?? "", "job");
    this.#keep(asked.name, response, bytes, json);
    this.#mcpSession = response.headers.get("Mcp-Session-Id") ?? this.#mcpSession;
    if (response.status === 202 && job !== undefined) await this.#follow(asked, job);
    else await this.#files(asked, [...linksOf(json), ownPath(response.headers.get("Location"))]);
  }

  /** Waits for the end of a background job. */
  async #follow(asked: Asked, path: string): Promise<void> {
    const last = AbortSignal.timeout(JOB_MS);
    for (;;) {
      const { response, bytes } = await this.#fetch({ ...asked, method: "GET", path, body: undefined });
      const json = jsonOf(response, bytes);
      if (response.status !== 200 || /^(done|failed)$/.test(String(memberOf(json, "status")))) {
        this.#keep(`${asked.name} > the job`, response, bytes, json);
        return this.#files(asked, linksOf(json));
      }
      await pause(100, undefined, { signal: last });
    }
  }

  async #files(asked: Asked, paths: readonly (string | undefined)[]): Promise<void> {
    for (const [i, path] of paths.filter((each) => each?.startsWith("/v1/results/")).entries()) {
      if (path === undefined) continue;
      const { response, bytes } = await this.#fetch({ name: "", path, as: "nobody" });
      this.#keep(`${asked.name} > file ${i + 1}`, response, bytes, jsonOf(response, bytes));
    }
  }

  async #fetch({ path, method, body, headers, as }: Asked): Promise<{ response: Response; bytes: Buffer }> {
    const response = await fetch(`${this.#service.origin}${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      redirect: "manual",
      headers: {
        "Accept-Encoding": "identity",
        ...(as === "nobody" ? {} : { "X-API-Key": KEY }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(path === "/mcp" && this.#mcpSession !== undefined ? { "Mcp-Session-Id": this.#mcpSession } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  #keep(name: string, response: Response, bytes: Buffer, json: unknown): void {
    if (name in this.answers) throw new Error(`Two requests are called "${name}".`);
    this.#normalizer.name(response.headers.get("X-Request-Id") ?? "", "request");
    const type = response.headers.get("Content-Type") ?? "";
    const isText = /^text\/|xml/.test(type);
    const body =
      json !== undefined ? this.#normalizer.json(json) : isText ? this.#normalizer.text(bytes.toString()) : undefined;
    const headers = HEADERS.flatMap((header): [string, string][] => {
      const value = response.headers.get(header);
      return value === null || (header === "ETag" && isOfThisStart(value, json))
        ? []
        : [[header, this.#normalizer.text(value)]];
    });
    this.answers[name] = {
      status: response.status,
      headers: Object.fromEntries(headers),
      sha256: createHash("sha256")
        .update(body === undefined ? bytes : JSON.stringify(body))
        .digest("hex"),
      bytes: bytes.length,
      ...(body === undefined ? {} : { body }),
    };
  }
}

/** Validators of stored files hold the time of writing, those of pages are of bytes with a signed token. */
function isOfThisStart(etag: string, json: unknown): boolean {
  return /^"[0-9a-f]+-[0-9a-f]+"$/.test(etag) || /[?&]token=/.test(JSON.stringify(json) ?? "");
}

function jsonOf(response: Response, bytes: Buffer): unknown {
  if (bytes.length === 0 || !/json/.test(response.headers.get("Content-Type") ?? "")) return undefined;
  return JSON.parse(bytes.toString());
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null ? (json as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Paths of the results that a document links to: `href` of links, `url` of files. */
function linksOf(json: unknown): readonly string[] {
  if (typeof json !== "object" || json === null) return [];
  const own = ["href", "url"].flatMap((name) => ownPath(memberOf(json, name)) ?? []);
  const all = [...own, ...Object.values(json).flatMap(linksOf)];
  return [...new Set(all)].filter((path) => path.startsWith("/v1/results/"));
}

/** Asks the services of a checkout, one request after the other. */
export async function record(checkout: string, requests: readonly Asked[]): Promise<Answers> {
  const answers: Record<string, Answer> = {};
  for (const profile of ["full", "lean"] as const) {
    const own = requests.filter((asked) => (asked.profile ?? "full") === profile);
    if (own.length === 0) continue;
    const service = await startService(checkout, profile);
    try {
      const recorder = new Recorder(service);
      for (const asked of own) await recorder.ask(asked);
      Object.assign(answers, recorder.answers);
    } finally {
      await service.close();
    }
  }
  return answers;
}
