import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Catalog, createNeighbourhoodSearch, createVirtualCatalog } from "@swath/catalog";
import { openArchive, pageTokens } from "@swath/catalog/node";
import { createAngleReader } from "@swath/engine/files";
import { inlineRenderer } from "@swath/engine/node";
import { createSources } from "@swath/engine/node/files";
import { type CollectionRegistry, createRegistry } from "@swath/schema";
import type { Store } from "@swath/store";
import { migrate, STORE_TABLES } from "@swath/store";
import { linkSigner, openResultFolder, openSqliteStore } from "@swath/store/node";
import { pino } from "pino";
import { inject } from "vitest";
import { OWN_TABLES } from "../../src/open/open-store.ts";
import { FULL_FILES, LEAN_FILES } from "../../src/open/served-files.ts";
import type { Services } from "../../src/operations/services.ts";
import { createApp } from "../../src/service/app.ts";
import { fullProfile } from "../../src/service/profiles/full.ts";
import { leanProfile } from "../../src/service/profiles/lean.ts";
import type { Profile } from "../../src/service/profiles/profile.ts";
import { accountsOn } from "../accounts/accounts-on.ts";
import { memoryQueue } from "../process/memory-queue.ts";
import { type Description, OpenApiCheck } from "./openapi-check.ts";

/** A key that every test service accepts. */
export const KEY = "test-key";
/** The clock of test services: some days after the archive's newest scenes. */
export const NOW = new Date("2026-06-16T12:00:00Z");

/** A profile and the collections and presets that it serves. */
export interface TestProfile {
  readonly create: (services: Services) => Profile;
  readonly registry: CollectionRegistry;
}

export const LEAN: TestProfile = {
  create: leanProfile,
  registry: createRegistry(LEAN_FILES.collections, LEAN_FILES.presets),
};
export const FULL: TestProfile = {
  create: fullProfile,
  // the archive has collections of two further upstreams
  registry: createRegistry(FULL_FILES.collections, FULL_FILES.presets).withUpstreams(["default", "lpcloud", "pc"]),
};

const archives = new Map<CollectionRegistry, Promise<Catalog>>();

async function openCatalog(directory: string, registry: CollectionRegistry): Promise<Catalog> {
  return createVirtualCatalog({ catalog: await openArchive(directory, { registry }), registry });
}

/** A store in memory, its tables made. */
export async function memoryStore(): Promise<Store> {
  const store = openSqliteStore(":memory:");
  await migrate(store, [STORE_TABLES, ...OWN_TABLES]);
  return store;
}

/** Parts of a service over the synthetic archive, with a fixed clock and lean v1's collections; any of them can be replaced. */
export async function sandboxServices(replaced: Partial<Services> = {}): Promise<Services> {
  const registry = replaced.registry ?? LEAN.registry;
  const directory = inject("sandbox");
  const archive = archives.get(registry) ?? openCatalog(directory, registry);
  archives.set(registry, archive);
  const catalog = replaced.catalog ?? (await archive);
  const { keys, mcpSessions } = accountsOn(await memoryStore(), { now: () => NOW.getTime(), apiKeys: [KEY] });
  return {
    registry,
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    keys,
    limits: { admit: async () => {} },
    renderer: inlineRenderer({
      blockCacheBytes: 64 * 1_048_576,
      sources: { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } },
    }),
    angles: createAngleReader(
      createSources({ archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } }),
    ),
    jobs: memoryQueue(() => NOW.getTime()),
    results: openResultFolder(join(tmpdir(), `swath-test-${process.pid}`)),
    resultLinks: linkSigner(Buffer.from("a secret of tests"), "/v1/results"),
    pageTokens: pageTokens(Buffer.from("a secret of tests")),
    now: () => NOW,
    log: pino({ level: "silent" }),
    version: "0.0.0",
    tileCacheBytes: 0,
    archiveDirectory: directory,
    mcpSessions,
    http: {},
    ...replaced,
  };
}

/** The service of lean v1 as one fetch handler. */
export function leanApp(services: Services): ReturnType<typeof createApp> {
  return createApp(services, leanProfile(services));
}

const checks = new WeakMap<CollectionRegistry, Map<string, Promise<OpenApiCheck>>>();

/** The check of a service: services of the same collections, parts and routes have one, since their OpenAPI documents are the same. */
function checkOf(services: Services, profile: TestProfile, app: ReturnType<typeof createApp>): Promise<OpenApiCheck> {
  const known = checks.get(services.registry) ?? new Map<string, Promise<OpenApiCheck>>();
  checks.set(services.registry, known);
  const parts = Object.entries(services).flatMap(([name, part]) => (part === undefined ? [] : name));
  const served = [...parts.sort(), ...app.routes.map(({ method, path }) => `${method} ${path}`)].join();
  const check = known.get(served) ?? makeCheck({ ...services, log: pino({ level: "silent" }) }, profile);
  known.set(served, check);
  return check;
}

/** The check of a service beside the one under test, whose log and counters a request would change. */
async function makeCheck({ metrics: _, ...services }: Services, profile: TestProfile): Promise<OpenApiCheck> {
  const app = createApp(services, profile.create(services));
  return new OpenApiCheck((await (await app.request("http://service.test/v1/openapi.json")).json()) as Description);
}

export interface TestService {
  /** Asks with the key; `path` is absolute. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Answers that are not held against the OpenAPI document; `url` is absolute. */
  unchecked(url: string, init?: RequestInit): Promise<Response>;
}

/**
 * The service as a function from requests to answers, without a socket. Every answer is held against the service's own
 * OpenAPI document: its status, its media type and its body.
 *
 * @param options.profile what is served; default: lean v1.
 * @param options.check false: answers are passed on as they come, for tests of scale.
 */
export async function testService(
  replaced: Partial<Services> = {},
  { check: checked = true, profile = LEAN }: { readonly check?: boolean; readonly profile?: TestProfile } = {},
): Promise<TestService> {
  const services = await sandboxServices({ registry: profile.registry, ...replaced });
  const app = createApp(services, profile.create(services));
  const check = checked ? await checkOf(services, profile, app) : undefined;
  const request = async (path: string, init?: RequestInit): Promise<Response> => {
    const url = `http://service.test${path}`;
    const response = await app.request(url, init);
    if (check === undefined) return response;
    const method = init?.method ?? "GET";
    const faults = await check.faults(method, new URL(url).pathname, response);
    if (faults.length > 0)
      throw new Error(`${method} ${path} is not as the OpenAPI document says: ${faults.join("; ")}`);
    return response;
  };
  return {
    request,
    unchecked: async (url, init) => app.request(url, init),
    get: (path, headers = {}) => request(path, { headers: { "X-API-Key": KEY, ...headers } }),
    post: (path, body, headers = {}) =>
      request(path, {
        method: "POST",
        headers: { "X-API-Key": KEY, "Content-Type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}
