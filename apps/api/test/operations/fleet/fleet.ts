import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { runKeysCommand } from "@swath/accounts/owner";
import { createUpstreamHandler } from "@swath/sandbox/node";
import type { Store } from "@swath/store";
import { type EngineHost, startEngine } from "../../../../../test/tools/engines.ts";
import { type S3Server, type S3ServerOptions, startS3Server } from "../../../../../test/tools/s3-server.ts";
import { openStore } from "../../../src/open/open-store.ts";
import { composeEnvironment } from "./compose.ts";
import { FleetNode } from "./node.ts";

/**
 * Two api nodes and two workers with the environment of compose.yaml: PostgreSQL and a store for results of their own, over
 * an upstream whose files are in the store of the archives, where the reader of Landsat pays.
 */
export interface Fleet {
  readonly store: Store;
  /** The store of the archives, which the fleet may read with an account of its own. */
  readonly archive: S3Server;
  /** Headers `traceparent` of the requests that the upstream got; undefined for one without. */
  readonly upstreamParents: readonly (string | undefined)[];
  /** The store for results. */
  readonly s3: S3Server;
  readonly apis: readonly FleetNode[];
  readonly workers: readonly FleetNode[];
  readonly nodes: readonly FleetNode[];
  readonly logs: string;
  createKey(name: string): Promise<{ readonly id: string; readonly secret: string }>;
  /** Asks the node that is next in turn; one that is down or breaks off is passed over, as a proxy does. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Connections that broke because a node was killed. */
  readonly broken: () => number;
  close(): Promise<void>;
}

/** Buckets of the archives, as the collection files know them: the reader of Landsat pays. */
const [LANDSAT, SENTINEL] = ["usgs-landsat", "sentinel-cogs"];
/** Region of the archives' store; that of the results is another one. */
const ARCHIVE_REGION = "eu-central-1";

interface Upstream {
  readonly url: string;
  readonly parents: readonly (string | undefined)[];
  close(): Promise<void>;
}

interface Document {
  readonly collection?: string;
  readonly features?: readonly Document[];
}

/** An answer of the archive's API whose items name files in buckets. */
function inBuckets(text: string, origin: string): string {
  const moved = (document: Document): Document => {
    if (document.features !== undefined) return { ...document, features: document.features.map(moved) };
    const bucket = document.collection?.startsWith("landsat") === true ? LANDSAT : SENTINEL;
    return JSON.parse(JSON.stringify(document).replaceAll(`"${origin}/v1/assets/`, `"s3://${bucket}/`)) as Document;
  };
  return text.startsWith("{") ? JSON.stringify(moved(JSON.parse(text) as Document)) : text;
}

/** The archive's STAC API, whose items name files in buckets. */
async function startUpstream(sandbox: string): Promise<Upstream> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handle = createUpstreamHandler(sandbox, { baseUrl: `${origin}/v1` });
  const parents: (string | undefined)[] = [];
  server.on("request", async (incoming, outgoing) => {
    parents.push(incoming.headers.traceparent as string | undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const method = incoming.method ?? "GET";
    const headers = { "Content-Type": incoming.headers["content-type"] ?? "application/json" };
    const body = method === "POST" ? Buffer.concat(chunks) : null;
    const answer = await handle(new Request(new URL(incoming.url ?? "/", origin), { method, headers, body }));
    const text = inBuckets(await answer.text(), origin);
    outgoing.writeHead(answer.status, { "Content-Type": answer.headers.get("Content-Type") ?? "application/json" });
    outgoing.end(text);
  });
  return {
    url: `${origin}/v1`,
    parents,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Further variables of the nodes, by the host of their upstream. */
type EnvironmentOf = (upstreamHost: string) => Readonly<Record<string, string>>;

export async function startFleet(
  sandbox: string,
  options: {
    readonly apis?: number;
    readonly workers?: number;
    readonly environment?: EnvironmentOf;
    readonly intercept?: S3ServerOptions["intercept"];
  } = {},
): Promise<Fleet> {
  const directory = await mkdtemp(join(tmpdir(), "swath-fleet-"));
  const host: EngineHost = await startEngine("postgres");
  const { databaseUrl = "" } = await host.fresh();
  const files = new Map<string, Promise<Uint8Array | undefined>>();
  const archive = await startS3Server({
    accessKeyId: "AKIAARCHIVE000000001",
    region: ARCHIVE_REGION,
    requesterPays: [LANDSAT],
    async lookUp(bucket, key) {
      if (bucket !== LANDSAT && bucket !== SENTINEL) return undefined;
      let file = files.get(key);
      if (file === undefined) {
        if (files.size > 200) files.clear();
        file = readFile(join(sandbox, "assets", normalize(`/${key}`))).catch(() => undefined);
        files.set(key, file);
      }
      return file;
    },
  });
  const s3 = await startS3Server({
    accessKeyId: "swath",
    ...(options.intercept === undefined ? {} : { intercept: options.intercept }),
  });
  const upstream = await startUpstream(sandbox);
  const compose = composeEnvironment(
    {
      POSTGRES_PASSWORD: "unused",
      S3_SECRET: s3.account.secretAccessKey,
      SWATH_UPSTREAM_URL: upstream.url,
      AWS_ENDPOINT_URL_S3: archive.endpoint,
      AWS_REGION: ARCHIVE_REGION,
      AWS_ACCESS_KEY_ID: archive.account.accessKeyId,
      AWS_SECRET_ACCESS_KEY: archive.account.secretAccessKey,
    },
    { "http://s3:9000": s3.endpoint },
  );
  const environment = {
    ...compose,
    DATABASE_URL: databaseUrl,
    // each node has a port of its own on this machine
    SWATH_METRICS_PORT: "",
    SWATH_HEALTH_PORT: "",
    SWATH_PUBLIC_URL: "",
    SWATH_WORKERS: "1",
    SWATH_BLOCK_CACHE_MB: "64",
    SWATH_TILE_CACHE_MB: "32",
    ...options.environment?.(new URL(upstream.url).host),
  };
  const logs = join(directory, "log.ndjson");
  const make = (role: string, i: number): FleetNode =>
    new FleetNode(
      `${role} ${i + 1}`,
      { ...environment, SWATH_ROLE: role, SWATH_DATA_DIR: join(directory, `${role}-${i}`) },
      logs,
    );
  const apis = Array.from({ length: options.apis ?? 2 }, (_, i) => make("api", i));
  const workers = Array.from({ length: options.workers ?? 2 }, (_, i) => make("worker", i));
  const nodes = [...apis, ...workers];
  const store = await openStore({ dataDir: directory, databaseUrl });
  let turn = 0;
  let broken = 0;
  const fleet: Fleet = {
    store,
    archive,
    upstreamParents: upstream.parents,
    s3,
    apis,
    workers,
    nodes,
    logs,
    async createKey(name) {
      const lines: string[] = [];
      const print = (line: string): void => void lines.push(line);
      const args = ["create", "--name", name];
      await runKeysCommand(args, { store, now: Date.now, program: "keys", print, printError: print });
      const [id = "", secret = ""] = lines.map((line) => line.split(/ +/)[1] ?? "");
      return { id, secret };
    },
    async ask(path, init) {
      for (let left = 200; ; left--) {
        const url = apis[turn++ % apis.length]?.url;
        if (url !== undefined) {
          try {
            const answer = await fetch(`${url}${path}`, { redirect: "manual", ...init });
            const { status, headers } = answer;
            const bytes = await answer.arrayBuffer();
            return new Response([204, 304].includes(status) ? null : bytes, { status, headers });
          } catch (error) {
            broken += 1;
            if (left === 0) throw error;
          }
        } else if (left === 0) throw new Error("No node answers.");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    broken: () => broken,
    async close() {
      await Promise.all(nodes.map((node) => node.kill()));
      await store.close();
      await Promise.all([host.stop(), archive.close(), s3.close(), upstream.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all(nodes.map((node) => node.start()));
  } catch (error) {
    await fleet.close();
    throw error;
  }
  return fleet;
}
