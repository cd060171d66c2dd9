import { ARCHIVE } from "@swath/archive";
import {
  createMergedCatalog,
  createUpstreamCatalog,
  type MergeableCatalog,
  UpstreamWatch,
  watchedCatalog,
} from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { sharedPace } from "@swath/http";
import { makeSandbox } from "@swath/sandbox/node";
import type { CollectionRegistry } from "@swath/schema";
import type { StacClientOptions } from "@swath/stac";
import { tracedFetch } from "@swath/tracing";
import { archiveUpstreams, kindOf, type OpenedFiles } from "./collection-files.ts";
import type { Environment } from "./environment/environment.ts";
import { sandboxDirectory } from "./open-renderer.ts";

export interface OpenedCatalog {
  readonly catalog: MergeableCatalog;
  /** The folder of the synthetic archive. */
  readonly directory?: string;
  /** The watches of the upstreams; none for the synthetic archive. */
  readonly watches: readonly UpstreamWatch[];
}

type CatalogFiles = Pick<OpenedFiles, "registry" | "kinds">;

interface CatalogOptions {
  readonly print: (line: string) => void;
  /** Told of every answer of an upstream. */
  readonly onAnswer: (upstream: string, outcome: "ok" | "failed") => void;
}

/**
 * The catalog of the default upstream, or that with the further ones that the environment names. The lean profile has no
 * words for an answer that lacks something: there a search fails where one of its upstreams does.
 *
 * @param archive the owner's folder; where there is one, the synthetic archive is not made.
 */
export async function openCatalog(
  environment: Environment,
  files: CatalogFiles,
  options: CatalogOptions,
  archive?: MergeableCatalog,
): Promise<OpenedCatalog> {
  const { registry } = files;
  const own = archiveUpstreams(environment);
  const watched = (name: string, url: string, live = registry): Watched =>
    watchedUpstream(environment, { ...files, registry: live }, { name, url }, options);
  const others = Object.entries(environment.upstreams).map(([name, url]) => watched(name, url));
  const { upstreamUrl } = environment;
  const isWhole = environment.profile === "lean";
  if (archive !== undefined) {
    const all = [...(upstreamUrl === undefined ? [] : [watched("default", upstreamUrl)]), ...others];
    const watches = all.map(({ watch }) => watch);
    const catalogs = { ...catalogsByName(all), [ARCHIVE]: archive };
    return { watches, catalog: createMergedCatalog({ registry, catalogs, isWhole, watches }) };
  }
  const first: Partial<Watched> & Pick<OpenedCatalog, "catalog" | "directory"> =
    upstreamUrl === undefined
      ? await openArchived(environment, registry.withUpstreams(own), options.print)
      : watched("default", upstreamUrl, registry.withUpstreams(own));
  const watches = [...(first.watch === undefined ? [] : [first.watch]), ...others.map(({ watch }) => watch)];
  const { catalog, directory } = first;
  const opened = { watches, ...(directory === undefined ? {} : { directory }) };
  if (others.length === 0) return { ...opened, catalog };
  const catalogs = { ...Object.fromEntries(own.map((name) => [name, catalog])), ...catalogsByName(others) };
  return { ...opened, catalog: createMergedCatalog({ registry, catalogs, isWhole, watches }) };
}

function catalogsByName(watched: readonly Watched[]): Readonly<Record<string, MergeableCatalog>> {
  return Object.fromEntries(watched.map(({ watch, catalog }) => [watch.name, catalog]));
}

interface Watched {
  readonly catalog: MergeableCatalog;
  readonly watch: UpstreamWatch;
}

/** An upstream as the environment names it. */
interface NamedUpstream {
  readonly name: string;
  readonly url: string;
}

/** The upstreams that an environment names, the default one first. */
export function upstreamsOf({
  upstreamUrl,
  upstreams,
}: Pick<Environment, "upstreamUrl" | "upstreams">): readonly NamedUpstream[] {
  const others = Object.entries(upstreams).map(([name, url]) => ({ name, url }));
  return upstreamUrl === undefined ? others : [{ name: "default", url: upstreamUrl }, ...others];
}

/** Options for asking an upstream; by default those of its kind. */
type AskedBy = Pick<StacClientOptions, "fetch" | "retries" | "pace">;

/** The catalog of an upstream of the environment. All catalogs of one host keep its pace together. */
export function openUpstream(
  environment: Pick<Environment, "upstreamKinds">,
  { registry, kinds }: CatalogFiles,
  { name, url }: NamedUpstream,
  askedBy: AskedBy = {},
): MergeableCatalog {
  const kind = kindOf(environment, kinds, name, url);
  const pace = askedBy.pace ?? sharedPace(new URL(url).host, kind.rate);
  return createUpstreamCatalog({ url, registry, name, kind, ...askedBy, pace });
}

function watchedUpstream(
  environment: Environment,
  files: CatalogFiles,
  upstream: NamedUpstream,
  { onAnswer }: CatalogOptions,
): Watched {
  const { name } = upstream;
  const { traceHosts } = environment;
  const fetch = tracedFetch((host) => traceHosts.includes(host));
  const catalog = openUpstream(environment, files, upstream, { fetch });
  const watch = new UpstreamWatch(name, { onAnswer: (outcome) => onAnswer(name, outcome) });
  return { catalog: watchedCatalog(catalog, watch), watch };
}

const MAKING = "Making a synthetic archive (first start only, about 30 s) ...";

/** The synthetic archive, made on first start: a terminal shows how far it is. */
async function openArchived(
  environment: Environment,
  registry: CollectionRegistry,
  print: (line: string) => void,
): Promise<Pick<OpenedCatalog, "catalog" | "directory">> {
  const directory = sandboxDirectory(environment);
  const isWatched = process.stdout.isTTY === true && environment.logFormat !== "json";
  await makeSandbox(directory, {
    onProgress: (done, total) => {
      if (isWatched)
        process.stdout.write(`\r${MAKING} ${Math.floor((100 * done) / total)} %${done === total ? "\n" : ""}`);
      else if (done === 0) print(MAKING);
    },
  });
  return { catalog: await openArchive(directory, { registry }), directory };
}
