import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { createUpstreamHandler } from "@swath/sandbox/node";
import { storedKeys } from "../../src/access/keys/stored-keys.ts";
import { openStore } from "../../src/state/open-store.ts";
import type { Store } from "../../src/state/store.ts";
import { type EngineHost, startEngine } from "../engines.ts";
import { type S3Server, startS3Server } from "../s3-server.ts";
import { FleetNode } from "./node.ts";

/** Two api nodes and two workers on one PostgreSQL and one bucket, over an upstream whose files are requester-pays. */
export interface Fleet {
  readonly store: Store;
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

/** Bucket of the archive's files in the fleet, whose reader pays. */
const PAID = "paid-archive";

interface Upstream {
  readonly url: string;
  close(): Promise<void>;
}

/** The archive's STAC API, whose items name files in a bucket. */
async function startUpstream(sandbox: string): Promise<Upstream> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handle = createUpstreamHandler(sandbox, { baseUrl: `${origin}/v1` });
  server.on("request", async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const method = incoming.method ?? "GET";
    const headers = { "Content-Type": incoming.headers["content-type"] ?? "application/json" };
    const body = method === "POST" ? Buffer.concat(chunks) : null;
    const answer = await handle(new Request(new URL(incoming.url ?? "/", origin), { method, headers, body }));
    const text = (await answer.text()).replaceAll(`"${origin}/v1/assets/`, `"s3://${PAID}/`);
    outgoing.writeHead(answer.status, { "Content-Type": answer.headers.get("Content-Type") ?? "application/json" });
    outgoing.end(text);
  });
  return {
    url: `${origin}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export async function startFleet(
  sandbox: string,
  options: { readonly apis?: number; readonly workers?: number; readonly environment?: Record<string, string> } = {},
): Promise<Fleet> {
  const directory = await mkdtemp(join(tmpdir(), "swath-fleet-"));
  const host: EngineHost = await startEngine("postgres");
  const { databaseUrl = "" } = await host.fresh();
  const files = new Map<string, Promise<Uint8Array | undefined>>();
  const s3 = await startS3Server({
    requesterPays: [PAID],
    async lookUp(bucket, key) {
      if (bucket !== PAID) return undefined;
      let file = files.get(key);
      if (file === undefined) {
        if (files.size > 200) files.clear();
        file = readFile(join(sandbox, "assets", normalize(`/${key}`))).catch(() => undefined);
        files.set(key, file);
      }
      return file;
    },
  });
  const upstream = await startUpstream(sandbox);
  const environment = {
    DATABASE_URL: databaseUrl,
    SWATH_UPSTREAM_URL: upstream.url,
    SWATH_ASSET_HOSTS: `s3://${PAID}`,
    SWATH_RESULTS_URL: "s3://results/fleet",
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    AWS_ACCESS_KEY_ID: s3.account.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.account.secretAccessKey,
    AWS_REGION: s3.region,
    SWATH_WORKERS: "1",
    SWATH_BLOCK_CACHE_MB: "64",
    SWATH_TILE_CACHE_MB: "32",
    ...options.environment,
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
    s3,
    apis,
    workers,
    nodes,
    logs,
    createKey: (name) => storedKeys(store).create(name),
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
      await Promise.all([host.stop(), s3.close(), upstream.close()]);
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
