import { parseEnvironment } from "../../apps/api/src/open/environment/environment.ts";
import { sourceSettings } from "../../apps/api/src/open/open-renderer.ts";
import { FULL_FILES } from "../../apps/api/src/open/served-files.ts";
import { FULL, type TestService, testService } from "../../apps/api/test/tools/harness.ts";
import {
  createMergedCatalog,
  createNeighbourhoodSearch,
  createUpstreamCatalog,
  createVirtualCatalog,
} from "../../packages/catalog/src/index.ts";
import { createAngleReader } from "../../packages/engine/src/metadata/angle-reader.ts";
import { sceneDocuments } from "../../packages/engine/src/metadata/scene-documents.ts";
import { inlineRenderer } from "../../packages/engine/src/node.ts";
import { createSources } from "../../packages/engine/src/run/files/sources.ts";
import { type AnyCollectionFile, type CollectionFile, isVirtualFile } from "../../packages/schema/src/files.ts";
import { createRegistry } from "../../packages/schema/src/index.ts";
import type { UpstreamName } from "./archives/upstreams.ts";
import type { Replay } from "./server.ts";

/** A collection of ours, and where its items come from. */
export interface Source {
  readonly archive: UpstreamName;
  readonly collection: string;
  /** The collection's name at the archive. */
  readonly upstreamCollection: string;
}

/** The names that deployments give the archives; the keys and tokens of hosts follow some of these names. */
const NAMES: Readonly<Record<UpstreamName, string>> = {
  "earth-search": "default",
  "planetary-computer": "pc",
  "nasa-cmr-stac": "lpcloud",
  usgs: "usgs",
  cdse: "cdse",
};

/**
 * The environment of a deployment over the archives' real addresses, with the keys and tokens that their hosts take.
 */
export function upstreamVariables(replay: Replay): Record<string, string> {
  const { upstreams } = replay.world;
  const { amazon, earthdata, eodata } = replay.credentials;
  const others = Object.entries(NAMES).filter(([, name]) => name !== "default");
  return {
    SWATH_UPSTREAM_URL: upstreams["earth-search"].url,
    SWATH_UPSTREAMS: others.map(([archive, name]) => `${name}=${upstreams[archive as UpstreamName].url}`).join(","),
    EARTHDATA_TOKEN: earthdata,
    AWS_ACCESS_KEY_ID: amazon.accessKeyId,
    AWS_SECRET_ACCESS_KEY: amazon.secretAccessKey,
    SWATH_S3_KEYS: `cdse=${eodata.accessKeyId}:${eodata.secretAccessKey}`,
  };
}

/**
 * A service over the archives' real addresses, made of the parts of a process: catalogs, readers of files and their
 * keys come from the environment. `replay` must be installed.
 */
export async function serviceOver(replay: Replay, source: Source): Promise<TestService> {
  const environment = parseEnvironment(upstreamVariables(replay));
  const names = ["default", ...Object.keys(environment.upstreams)];
  const registry = createRegistry(
    FULL_FILES.collections.map((file) => at(file, source)),
    FULL_FILES.presets,
  ).withUpstreams(names);
  const urls = { default: environment.upstreamUrl as string, ...environment.upstreams };
  const catalogs = Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [name, createUpstreamCatalog({ url, registry, name })] as const),
  );
  const catalog = createVirtualCatalog({ catalog: createMergedCatalog({ registry, catalogs }), registry });
  const sources = sourceSettings(environment, registry);
  const sourceFor = createSources(sources);
  return testService(
    {
      registry,
      catalog,
      tileScenes: createNeighbourhoodSearch(catalog),
      renderer: inlineRenderer({ blockCacheBytes: 64 * 1_048_576, sources }),
      sceneDocuments: sceneDocuments(sourceFor),
      angles: createAngleReader(sourceFor),
      now: () => new Date(),
    },
    { profile: { ...FULL, registry } },
  );
}

/** The collection file as it is where it names the source; else one with the same rules that names it. */
function at(file: AnyCollectionFile, { archive, collection, upstreamCollection }: Source): AnyCollectionFile {
  if (isVirtualFile(file) || file.id !== collection) return file;
  const { name = "default", collection: first, furtherCollections = [], ...rest } = file.upstream;
  const isThere = name === NAMES[archive] && [first, ...furtherCollections].includes(upstreamCollection);
  if (isThere) return file;
  const storage = archive === "cdse" ? withEodata(file.storage) : file.storage;
  return { ...file, storage, upstream: { ...rest, name: NAMES[archive], collection: upstreamCollection } };
}

/** Adds the storage of Copernicus Data Space's files as one's own collection file states it. */
function withEodata(storage: CollectionFile["storage"]): CollectionFile["storage"] {
  const { buckets = [], hosts = [], ...others } = storage ?? {};
  const eodata = {
    name: "eodata",
    region: "default",
    requesterPays: false,
    signed: true,
    keys: "cdse",
    endpoint: "https://eodata.dataspace.copernicus.eu",
    requestsAtOnce: 4,
  };
  return { ...others, buckets: [...buckets, eodata], hosts: [...hosts, "s3://eodata"] };
}
