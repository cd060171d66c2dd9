import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, homedir, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ARCHIVE, openOwnArchive } from "@swath/archive";
import {
  createNeighbourhoodSearch,
  createUpstreamCatalog,
  createVirtualCatalog,
  type MergeableCatalog,
} from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { createAngleReader, MAX_METADATA_BYTES, sceneDocuments } from "@swath/engine";
import { createSources, type EngineParts, ObservedGroups, RenderPool, type SourceSettings } from "@swath/engine/node";
import { sharedPace } from "@swath/http";
import { makeSandbox } from "@swath/sandbox/node";
import {
  BUILT_IN_FILES,
  BUILT_IN_PRESETS,
  type CollectionFile,
  type CollectionRegistry,
  createRegistry,
  isVirtualFile,
  upstreamKindOf,
} from "@swath/schema";
import { InvalidArgumentError } from "commander";
import type { CommonOptions } from "./options.ts";

/** Which scenes are asked for, and where the engine keeps what it makes. */
export interface EngineOptions extends Pick<CommonOptions, "catalog" | "archive" | "data" | "threads"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Told how much of the synthetic archive is made, 0 to 1. */
  readonly onMaking: (done: number) => void;
  readonly signal: AbortSignal;
}

/** The engine, ready for requests. */
export interface OpenedEngine {
  readonly parts: EngineParts & { readonly observed: ObservedGroups };
  close(): Promise<void>;
}

/** A catalog with the collections that it has, and where their files lie. */
interface Opened {
  readonly registry: CollectionRegistry;
  readonly catalog: MergeableCatalog;
  readonly sources: Partial<SourceSettings>;
  readonly close?: () => void;
}

const BLOCK_CACHE_BYTES = 256 * 1_048_576;
/** Of the synthetic archive: upstreams whose collections it has, and collections that it has no scenes of. */
const ARCHIVED = ["default", "lpcloud", "pc"];
const NOT_ARCHIVED = ["sentinel-2-l1c"];

/** Opens the engine on the catalog that options name, or on the synthetic archive. */
export async function openEngine(options: EngineOptions): Promise<OpenedEngine> {
  const { environment, threads = availableParallelism() } = options;
  const data = dataFolder(options);
  const { registry, catalog: plain, sources: from, close } = await openScenes(options, data);
  const sources: SourceSettings = {
    assetHosts: [],
    knownHosts: registry.assetHosts,
    storage: registry.storage,
    s3: s3Of(environment),
    ...from,
  };
  const renderer = new RenderPool({
    threads,
    settings: { warmsUp: false, render: { blockCacheBytes: BLOCK_CACHE_BYTES, sources } },
  });
  const catalog = createVirtualCatalog({ catalog: plain, registry });
  const spoolDirectory = await mkdtemp(join(tmpdir(), "swath-"));
  const documents = createSources({ ...sources, wholeBytes: MAX_METADATA_BYTES }, renderer.access);
  return {
    parts: {
      registry,
      catalog,
      tileScenes: createNeighbourhoodSearch(catalog),
      renderer,
      angles: createAngleReader(documents),
      sceneDocuments: sceneDocuments(documents),
      results: {
        spoolDirectory,
        async allocate() {
          const directory = await mkdtemp(join(spoolDirectory, "result-"));
          return { id: basename(directory), directory };
        },
        remove: (id) => rm(join(spoolDirectory, id), { recursive: true, force: true }),
      },
      now: () => new Date(),
      observed: new ObservedGroups(),
    },
    async close() {
      await renderer.close();
      close?.();
      await rm(spoolDirectory, { recursive: true, force: true });
    },
  };
}

interface DataOptions {
  readonly data?: string | undefined;
  readonly environment: EngineOptions["environment"];
}

/** Where indexes and the synthetic archive are kept. */
export function dataFolder({ data, environment }: DataOptions): string {
  const { SWATH_DATA_DIR, XDG_CACHE_HOME = join(homedir(), ".cache") } = environment;
  return data ?? SWATH_DATA_DIR ?? join(XDG_CACHE_HOME, "swath");
}

/** `name=https://...` or `https://...`: the name decides which collections of the schema a STAC API has. */
export function readCatalog(text: string): { readonly name: string; readonly url: string } {
  const [, name = "default", url = ""] = /^(?:([a-z][a-z0-9-]{0,31})=)?(https?:\/\/.+?)\/*$/.exec(text) ?? [];
  if (url !== "" && URL.canParse(url)) return { name, url };
  throw new InvalidArgumentError(`--catalog: Expected https://address or name=https://address, got "${text}".`);
}

function openScenes(options: EngineOptions, data: string): Promise<Opened> | Opened {
  if (options.catalog !== undefined && options.archive !== undefined) {
    throw new InvalidArgumentError("--catalog and --archive: Expected one of them.");
  }
  if (options.catalog !== undefined) return openUpstream(options.catalog);
  return options.archive === undefined ? openSandbox(options, data) : openFolder(options.archive, options, data);
}

function openUpstream(text: string): Opened {
  const { name, url } = readCatalog(text);
  const registry = createRegistry(BUILT_IN_FILES, BUILT_IN_PRESETS).withUpstreams([name], [name]);
  if (registry.ids.length === 0) {
    const names = [
      ...new Set(BUILT_IN_FILES.flatMap((file) => (isVirtualFile(file) ? [] : (file.upstream.name ?? [])))),
    ];
    throw new InvalidArgumentError(`--catalog: Expected a name among ${names.join(", ")}, got "${name}".`);
  }
  const kind = upstreamKindOf(url, []);
  const catalog = createUpstreamCatalog({ url, registry, name, kind, pace: sharedPace(new URL(url).host, kind.rate) });
  return { registry, catalog, sources: { upstreamUrl: url } };
}

async function openSandbox({ onMaking, signal }: EngineOptions, data: string): Promise<Opened> {
  const directory = join(data, "sandbox");
  await makeSandbox(directory, { signal, onProgress: (done, total) => onMaking(done / total) });
  const files = BUILT_IN_FILES.filter(({ id }) => !NOT_ARCHIVED.includes(id));
  const registry = createRegistry(files, BUILT_IN_PRESETS).withUpstreams(ARCHIVED);
  return { registry, catalog: await openArchive(directory, { registry }), sources: { archiveDirectory: directory } };
}

async function openFolder(path: string, { signal }: EngineOptions, data: string): Promise<Opened> {
  await mkdir(data, { recursive: true });
  const builtIn = BUILT_IN_FILES.filter((file): file is CollectionFile => !isVirtualFile(file));
  const secret = await secretOf(join(data, "archive-secret"));
  const archive = await openOwnArchive({ path, dataDir: data, secret, builtIn, presets: BUILT_IN_PRESETS, signal });
  const registry = createRegistry(archive.collections, BUILT_IN_PRESETS).withUpstreams([ARCHIVE]);
  const { catalog, folder } = archive;
  return { registry, catalog, sources: { folder }, close: () => archive.close() };
}

/** Signs addresses in the index of a folder: the same secret as the last time, so that the index stays good. */
async function secretOf(file: string): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  try {
    await writeFile(file, secret, { mode: 0o600, flag: "wx" });
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return await readFile(file, "utf8");
  }
}

function s3Of({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
  AWS_REGION: region = "us-west-2",
}: EngineOptions["environment"]): SourceSettings["s3"] {
  if (accessKeyId === undefined || secretAccessKey === undefined) return { region };
  return {
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
  };
}
