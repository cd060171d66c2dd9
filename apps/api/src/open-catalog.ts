import { createMergedCatalog, createUpstreamCatalog, type MergeableCatalog } from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { sharedPace } from "@swath/http";
import { makeSandbox } from "@swath/sandbox/node";
import type { StacClientOptions } from "@swath/stac";
import { archiveUpstreams, kindOf, type OpenedFiles } from "./collection-files.ts";
import type { Environment } from "./environment.ts";
import { sandboxDirectory } from "./open-renderer.ts";

export interface OpenedCatalog {
  readonly catalog: MergeableCatalog;
  /** The folder of the synthetic archive. */
  readonly directory?: string;
}

type CatalogFiles = Pick<OpenedFiles, "registry" | "kinds">;

/** The catalog of the default upstream, or that with the further ones that the environment names. */
export async function openCatalog(
  environment: Environment,
  { registry, kinds }: CatalogFiles,
  print: (line: string) => void,
): Promise<OpenedCatalog> {
  const own = archiveUpstreams(environment);
  const others = Object.entries(environment.upstreams).map(([name, url]) => {
    return [name, openUpstream(environment, { registry, kinds }, { name, url })] as const;
  });
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

/** How an upstream is asked; by default as its kind says. */
export type AskedBy = Pick<StacClientOptions, "fetch" | "retries" | "pace">;

/** The catalog of an upstream of the environment. All catalogs of one host keep its pace together. */
export function openUpstream(
  environment: Pick<Environment, "upstreamKinds">,
  { registry, kinds }: CatalogFiles,
  { name, url }: { readonly name: string; readonly url: string },
  askedBy: AskedBy = {},
): MergeableCatalog {
  const kind = kindOf(environment, kinds, name, url);
  return createUpstreamCatalog({
    url,
    registry,
    name,
    kind,
    pace: sharedPace(new URL(url).host, kind.rate),
    ...askedBy,
  });
}

/** The upstreams that an environment names, the default one first. */
export function upstreamsOf({
  upstreamUrl,
  upstreams,
}: Pick<Environment, "upstreamUrl" | "upstreams">): { readonly name: string; readonly url: string }[] {
  const others = Object.entries(upstreams).map(([name, url]) => ({ name, url }));
  return upstreamUrl === undefined ? others : [{ name: "default", url: upstreamUrl }, ...others];
}

/** The upstream catalog, or where none is named the synthetic archive, made on first start. */
async function openDefault(
  environment: Environment,
  { registry, kinds }: CatalogFiles,
  print: (line: string) => void,
): Promise<OpenedCatalog> {
  const { upstreamUrl } = environment;
  if (upstreamUrl !== undefined) {
    return { catalog: openUpstream(environment, { registry, kinds }, { name: "default", url: upstreamUrl }) };
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
