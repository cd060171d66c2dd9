import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  createNeighbourhoodSearch,
  createUpstreamCatalog,
  createVirtualCatalog,
  type MergeableCatalog,
} from "@swath/catalog";
import { sharedPace } from "@swath/http";
import { type CollectionRegistry, createRegistry } from "@swath/schema";
import { BUILT_IN_FILES } from "@swath/schema/files";
import { upstreamKindOf } from "@swath/schema/upstreams";
import type { FeatureResults } from "../chain/numbers/features.ts";
import { prepare, type Results } from "../chain/prepare.ts";
import { createAngleReader, MAX_METADATA_BYTES } from "../metadata/angle-reader.ts";
import { sceneDocuments } from "../metadata/scene-documents.ts";
import type { EngineParts, ResultFolders } from "../parts.ts";
import type { FeaturesWhere, IntervalsInto, Into, OverpassesInto, Request, Where } from "../request.ts";
import { ObservedGroups } from "../run/compute/observed-groups.ts";
import { createSources, type SourceSettings } from "../run/files/sources.ts";
import { ImageCache } from "../run/image/image-cache.ts";
import { RenderPool } from "../run/threads/pool.ts";

/** The scenes that the engine works on: those of a STAC API, or those of the caller's own catalog. */
export type SceneSource =
  | {
      /** Address of the STAC API, such as `https://earth-search.aws.element84.com/v1`. */
      readonly upstream: string;
      /** Name by which collection files know it; default: `default`. */
      readonly name?: string | undefined;
      /** Collections that it may have; default: the built-in ones. */
      readonly registry?: CollectionRegistry;
    }
  | {
      readonly catalog: MergeableCatalog;
      /** The collections of the catalog. */
      readonly registry: CollectionRegistry;
      /** The place of the catalog's files, if they are not on the web: `archiveDirectory`, or the `folder` of an archive. */
      readonly sources?: Partial<SourceSettings>;
    };

type Upstream = Extract<SceneSource, { readonly upstream: string }>;

/** Options for opening an engine. */
export interface EngineOptions {
  /** Render threads; default: one for each core. */
  readonly threads?: number | undefined;
  /** Bytes of decoded blocks that are kept; default: 256 MB. */
  readonly blockCacheBytes?: number;
  /** Keys and region of S3 for reading `s3://` files; default: none, and us-west-2. */
  readonly s3?: SourceSettings["s3"];
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** Options for carrying out one request. */
export interface EngineRunOptions {
  /** Default: the request is never given up. */
  readonly signal?: AbortSignal;
  /** Called with the part of the work that is done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** The engine, ready for requests. */
export interface Engine {
  /** The parts that every function of the engine takes. */
  readonly parts: EngineParts & { readonly observed: ObservedGroups };
  /** Carries a request out, whatever it costs; `prepare` says that before. @throws as `prepare` and what it gives. */
  run<I extends Into>(
    request: Request<Exclude<Where, FeaturesWhere>, I>,
    options?: EngineRunOptions,
  ): Promise<Results[I["kind"]]>;
  /** The same of several places, each with its own result. */
  run<I extends IntervalsInto | OverpassesInto>(
    request: Request<FeaturesWhere, I>,
    options?: EngineRunOptions,
  ): Promise<FeatureResults<Results[I["kind"]]>>;
  /** Ends the threads, and removes files that nobody moved away. */
  close(): Promise<void>;
}

const BLOCK_CACHE_BYTES = 256 * 1_048_576;
const IMAGE_CACHE_BYTES = 32 * 1_048_576;

/**
 * Opens the engine for a program without a server: threads, caches, and the readers of files and metadata.
 *
 * @throws {RangeError} where no collection is known of the upstream.
 */
export async function openEngine(scenes: SceneSource, options: EngineOptions = {}): Promise<Engine> {
  const { threads = availableParallelism(), blockCacheBytes = BLOCK_CACHE_BYTES, now = () => new Date() } = options;
  const { catalog: plain, registry, sources: from = {} } = "catalog" in scenes ? scenes : openUpstream(scenes);
  const sources: SourceSettings = {
    assetHosts: [],
    knownHosts: registry.assetHosts,
    storage: registry.storage,
    s3: options.s3 ?? { region: "us-west-2" },
    ...from,
  };
  const folder = await mkdtemp(join(tmpdir(), "swath-"));
  const renderer = new RenderPool({ threads, settings: { warmsUp: false, render: { blockCacheBytes, sources } } });
  const catalog = createVirtualCatalog({ catalog: plain, registry });
  const documents = createSources({ ...sources, wholeBytes: MAX_METADATA_BYTES }, renderer.access);
  const parts = {
    registry,
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    renderer,
    images: new ImageCache(renderer, IMAGE_CACHE_BYTES),
    angles: createAngleReader(documents),
    sceneDocuments: sceneDocuments(documents),
    results: foldersIn(folder),
    now,
    observed: new ObservedGroups(),
  };
  return {
    parts,
    async run(request: Request, { signal = new AbortController().signal, onProgress }: EngineRunOptions = {}) {
      const prepared = await prepare(parts, request, { signal });
      // the overloads say which result belongs to which request
      return prepared.run({ signal, ...(onProgress === undefined ? {} : { onProgress }) }) as Promise<never>;
    },
    async close() {
      await renderer.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function openUpstream({ upstream: url, name = "default", registry = createRegistry(BUILT_IN_FILES) }: Upstream) {
  const own = registry.withUpstreams([name], [name]);
  if (own.ids.length === 0) {
    const names = [...new Set(registry.collections.map(({ upstream }) => upstream.name))];
    throw new RangeError(`Expected the name of an upstream (${names.join(", ")}), got "${name}".`);
  }
  const kind = upstreamKindOf(url);
  const pace = sharedPace(new URL(url).host, kind.rate);
  const sources: Partial<SourceSettings> = { upstreamUrl: url };
  return { registry: own, catalog: createUpstreamCatalog({ url, registry: own, name, kind, pace }), sources };
}

function foldersIn(spoolDirectory: string): ResultFolders {
  return {
    spoolDirectory,
    async allocate() {
      const directory = await mkdtemp(join(spoolDirectory, "result-"));
      return { id: basename(directory), directory };
    },
    remove: (id) => rm(join(spoolDirectory, id), { recursive: true, force: true }),
  };
}
