import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ARCHIVE } from "@swath/archive";
import { openArchive } from "@swath/catalog/node";
import type { DoctorReport, Opened, SettingNames, Upstream } from "@swath/doctor";
import { createFileAccess, createSharedAccess } from "@swath/engine/files";
import { createSources, openFile } from "@swath/engine/node/files";
import { type Fetch, Pace } from "@swath/http";
import { readArchiveInfo } from "@swath/sandbox/node";
import type { CollectionSchema } from "@swath/schema";
import { archiveUpstreams, kindOf, localUpstreamNames, type OpenedFiles } from "../collection-files.ts";
import { counted } from "../counted.ts";
import { type Environment, EnvironmentError } from "../environment/environment.ts";
import { openUpstream, upstreamsOf } from "../open-catalog.ts";
import { sandboxDirectory, sourceSettings } from "../open-renderer.ts";
import { openArchiveOf } from "../own-archive.ts";

/** Another try tells a passing fault from one that stays. */
const RETRIES = 1;

/** The variables that hold what the doctor's advice is about. */
export const SETTINGS: SettingNames = {
  address: (upstream) => (upstream === "default" ? "SWATH_UPSTREAM_URL" : "SWATH_UPSTREAMS"),
  newAddress: (upstream) =>
    upstream === "default" ? "SWATH_UPSTREAM_URL=https://…" : `SWATH_UPSTREAMS=${upstream}=https://…`,
  kind: "SWATH_UPSTREAMS (name:kind=https://…)",
  hosts: "SWATH_ASSET_HOSTS",
};

/** Lists the values of an environment that are shown nowhere. */
export function secretsOf({
  earthdataToken,
  s3,
  apiKeys,
  databaseUrl,
}: Pick<Environment, "earthdataToken" | "s3" | "apiKeys" | "databaseUrl">): readonly string[] {
  const keys = [s3.credentials, ...Object.values(s3.namedKeys ?? {})];
  const ofKeys = keys.flatMap((each) => [each?.accessKeyId, each?.secretAccessKey, each?.sessionToken]);
  return [earthdataToken, databaseUrl, ...apiKeys, ...ofKeys].filter((value) => value !== undefined);
}

/** Names of the upstreams that an environment has, the synthetic archive as the default one, and of the owner's folder. */
export function upstreamNamesOf({
  upstreamUrl,
  upstreams,
  archive,
}: Pick<Environment, "upstreamUrl" | "upstreams" | "archive">): string[] {
  const hasDefault = upstreamUrl !== undefined || archive === undefined;
  return [...(hasDefault ? ["default"] : []), ...Object.keys(upstreams), ...(archive === undefined ? [] : [ARCHIVE])];
}

/** Makes what the doctor tries of the upstreams that an environment names by their addresses. */
export function addressedUpstreams(
  environment: Environment,
  files: Pick<OpenedFiles, "registry" | "kinds">,
  collectionsOf: (upstream: string) => readonly CollectionSchema[],
  now: () => number,
): readonly Upstream[] {
  return upstreamsOf(environment).map(({ name, url }) => {
    const { title, rate } = kindOf(environment, files.kinds, name, url);
    return {
      name,
      url,
      title,
      collections: collectionsOf(name),
      open: (fetch) => {
        // the pause that one upstream asks for must not outlast the examination
        const askedBy = { fetch, retries: RETRIES, pace: new Pace(rate) };
        const catalog = openUpstream(environment, files, { name, url }, askedBy);
        return { catalog, ...filesOf(environment, files, fetch, now) };
      },
    };
  });
}

/** Makes what the doctor tries of archives on this machine: the synthetic one, once the first start has made it. */
export async function localUpstreams(
  environment: Environment,
  files: OpenedFiles,
  collectionsOf: (upstream: string) => readonly CollectionSchema[],
  now: () => number,
): Promise<readonly Upstream[]> {
  const archived = archiveUpstreams(environment);
  const collections = archived.flatMap(collectionsOf);
  if (environment.upstreamUrl !== undefined || collections.length === 0) return [];
  const directory = sandboxDirectory(environment);
  if ((await readArchiveInfo(directory)) === undefined) {
    return [{ name: "default", title: "the synthetic archive, which the first start makes", collections: [] }];
  }
  const registry = files.registry.withUpstreams(archived);
  const open = async (fetch: Fetch): Promise<Opened> => ({
    catalog: await openArchive(directory, { registry }),
    ...filesOf(environment, files, fetch, now),
  });
  return [{ name: "default", title: "the synthetic archive", collections, open }];
}

/** Files that are left out of the owner's folder and named at most, and milliseconds for which the folder is looked at at most. */
const [MAX_NAMED, LOOK_MS] = [20, 50_000];

/** A look at the owner's folder: what is served of it, or why nothing is. */
export interface OwnFolder {
  readonly upstream?: Upstream;
  readonly fault?: DoctorReport["absent"][number];
}

/** Looks at the owner's folder as the service does, with an index of its own that is thrown away. */
export async function ownFolder(environment: Environment, signal: AbortSignal | undefined): Promise<OwnFolder> {
  const time = AbortSignal.timeout(LOOK_MS);
  const dataDir = await mkdtemp(join(tmpdir(), "swath-doctor-"));
  const said = (found: string): OwnFolder => ({
    upstream: { name: ARCHIVE, title: `the owner's folder: ${found}`, collections: [] },
  });
  try {
    const limit = signal === undefined ? time : AbortSignal.any([signal, time]);
    const archive = await openArchiveOf({ ...environment, dataDir }, limit);
    const { items, refused, remarks } = archive?.first ?? { items: 0, refused: [], remarks: [] };
    archive?.close();
    if (items === 0 && refused.length === 0) {
      const detail = "There is no GeoTIFF and no item in the folder.";
      return { fault: { name: ARCHIVE, detail, advice: "Put scenes into the folder that SWATH_ARCHIVE names." } };
    }
    const named = (lines: readonly string[], what: string): string => {
      const more = lines.length > MAX_NAMED ? [`and ${lines.length - MAX_NAMED} more`] : [];
      return [...lines.slice(0, MAX_NAMED), ...more].map((line) => `\n  ${what}: ${line}`).join("");
    };
    const lines = `${named(refused, "not taken")}${named(remarks, "note")}`;
    return said(`${counted(items, "item")}, ${counted(refused.length, "file")} left out${lines}`);
  } catch (error) {
    signal?.throwIfAborted();
    if (time.aborted) return said("too large to be looked at here; `npm run archive -- reindex` says what is served");
    if (!(error instanceof EnvironmentError)) throw error;
    const advice = "Name a folder by SWATH_ARCHIVE that the service may read.";
    return { fault: { name: ARCHIVE, detail: error.message, advice } };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Makes a reader of files like the service's own, and its messages about keys and tokens that do not work. */
function filesOf(
  environment: Environment,
  { registry }: Pick<OpenedFiles, "registry">,
  fetch: Fetch,
  now: () => number,
): Omit<Opened, "catalog"> {
  const settings = { ...sourceSettings(environment, registry), fetch };
  const access = createSharedAccess({ ...settings, now });
  const fileAccess = createFileAccess({
    registry,
    sources: settings,
    localUpstreams: localUpstreamNames(environment),
    isRefused: access.isRefused,
    now,
  });
  const sourceFor = createSources(settings, access);
  return {
    openFile: (address, signal) => openFile(sourceFor(address.href), address, signal),
    credentialDetail: (name) => fileAccess.credentials().find(({ credential }) => credential === name)?.detail,
  };
}
