import { createMergedCatalog, createUpstreamCatalog, type MergeableCatalog } from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { sharedPace } from "@swath/http";
import { makeSandbox } from "@swath/sandbox/node";
import type { CollectionRegistry, UpstreamKindFile } from "@swath/schema";
import { ARCHIVE } from "./archive/name.ts";
import { archiveUpstreams, kindOf, type OpenedFiles } from "./collection-files.ts";
import type { Environment } from "./environment.ts";
import { sandboxDirectory } from "./open-renderer.ts";

export interface OpenedCatalog {
  readonly catalog: MergeableCatalog;
  /** The folder of the synthetic archive. */
  readonly directory?: string;
}

/**
 * The catalog of the default upstream, or that with the further ones that the environment names.
 *
 * @param archive the owner's folder; where there is one, the synthetic archive is not made.
 */
export async function openCatalog(
  environment: Environment,
  { registry, kinds }: OpenedFiles,
  print: (line: string) => void,
  archive?: MergeableCatalog,
): Promise<OpenedCatalog> {
  const own = archiveUpstreams(environment);
  const others = Object.entries(environment.upstreams).map(([name, url]) => {
    return [name, upstreamAt(environment, kinds, registry, name, url)] as const;
  });
  if (archive !== undefined) {
    const { upstreamUrl } = environment;
    const first =
      upstreamUrl === undefined ? {} : { default: upstreamAt(environment, kinds, registry, "default", upstreamUrl) };
    const catalogs = { ...first, ...Object.fromEntries(others), [ARCHIVE]: archive };
    return { catalog: createMergedCatalog({ registry, catalogs }) };
  }
  const first = await openDefault(environment, { registry: registry.withUpstreams(own), kinds }, print);
  if (others.length === 0) return first;
  return {
    ...first,
    catalog: createMergedCatalog({
      registry,
      catalogs: {
        ...Object.fromEntries(own.map((name) => [name, first.catalog])),
        ...Object.fromEntries(others),
      },
    }),
  };
}

/** All catalogs of one host keep its pace together. */
function upstreamAt(
  environment: Environment,
  kinds: readonly UpstreamKindFile[],
  registry: CollectionRegistry,
  name: string,
  url: string,
): MergeableCatalog {
  const kind = kindOf(environment, kinds, name, url);
  return createUpstreamCatalog({ url, registry, name, kind, pace: sharedPace(new URL(url).host, kind.rate) });
}

/** The upstream catalog, or where none is named the synthetic archive, made on first start. */
async function openDefault(
  environment: Environment,
  { registry, kinds }: OpenedFiles,
  print: (line: string) => void,
): Promise<OpenedCatalog> {
  const { upstreamUrl } = environment;
  if (upstreamUrl !== undefined) {
    return { catalog: upstreamAt(environment, kinds, registry, "default", upstreamUrl) };
  }
  const directory = sandboxDirectory(environment);
  let announced = false;
  await makeSandbox(directory, {
    onProgress: () => {
      if (!announced) print("Making a synthetic archive (first start only, about 30 s) ...");
      announced = true;
    },
  });
  return { catalog: await openArchive(directory, { registry }), directory };
}
