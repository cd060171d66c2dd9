import type { Host } from "../messages.ts";
import type { Json, RecordedItem, Recordings } from "../recordings.ts";
import { cmrItems } from "./cmr-items.ts";
import { cmrStac } from "./cmr-stac.ts";
import { pgstac } from "./pgstac.ts";
import { stacServer } from "./stac-server.ts";

/** A STAC API that stands in for an archive's. */
export interface Upstream {
  /** Address of its landing page. */
  readonly url: string;
  readonly items: readonly RecordedItem[];
  readonly collections: ReadonlyMap<string, Json>;
  readonly host: Host;
}

/** Addresses of the archives' STAC APIs. */
export const UPSTREAM_URLS = {
  "earth-search": "https://earth-search.aws.element84.com/v1",
  "planetary-computer": "https://planetarycomputer.microsoft.com/api/stac/v1",
  "nasa-cmr-stac": "https://cmr.earthdata.nasa.gov/stac/LPCLOUD",
  usgs: "https://landsatlook.usgs.gov/stac-server",
  cdse: "https://stac.dataspace.copernicus.eu/v1",
} as const;
/** Name of an archive whose STAC API is replayed. */
export type UpstreamName = keyof typeof UPSTREAM_URLS;

/** The stand-ins behind the exact answers: each answers our searches as its archive documentedly does. */
export function upstreams(recordings: Recordings): Readonly<Record<UpstreamName, Upstream>> {
  const of = (name: UpstreamName, items: readonly RecordedItem[]) => ({
    url: UPSTREAM_URLS[name],
    items,
    collections: withMissing(UPSTREAM_URLS[name], recordings.collections(name), items),
  });
  const [search, computer] = [recordings.items("earth-search"), recordings.items("planetary-computer")];
  const facts = {
    "earth-search": of("earth-search", search),
    "planetary-computer": of("planetary-computer", computer),
    "nasa-cmr-stac": of("nasa-cmr-stac", cmrItems(recordings)),
    usgs: of("usgs", recordings.items("usgs")),
    cdse: of("cdse", recordings.items("cdse")),
  };
  const notFound = recordings.quoted.get("cmr-stac-404")?.response.body as { errors: readonly string[] };
  const host: Readonly<Record<UpstreamName, Host>> = {
    "earth-search": stacServer({ ...rooted(facts["earth-search"]), paging: "values" }),
    usgs: stacServer({ ...rooted(facts.usgs), paging: "page" }),
    "planetary-computer": pgstac({
      ...rooted(facts["planetary-computer"]),
      defaultLimit: 250,
      refusesBeyondWorld: true,
      hasNumberReturned: false,
    }),
    cdse: pgstac({ ...rooted(facts.cdse), defaultLimit: 10, refusesBeyondWorld: false, hasNumberReturned: true }),
    "nasa-cmr-stac": cmrStac({ ...rooted(facts["nasa-cmr-stac"]), notFound: notFound.errors[0] ?? "" }),
  };
  const made = Object.entries(facts).map(([name, each]) => [name, { ...each, host: host[name as UpstreamName] }]);
  return Object.fromEntries(made) as Record<UpstreamName, Upstream>;
}

type Facts = Omit<Upstream, "host">;

function rooted({ url, ...rest }: Facts): Omit<Facts, "url"> & { readonly root: string } {
  return { root: url, ...rest };
}

/** Collections whose document nobody recorded have one made of their items: id, extent and licence. */
function withMissing(
  root: string,
  recorded: ReadonlyMap<string, Json>,
  items: readonly RecordedItem[],
): ReadonlyMap<string, Json> {
  const missing = [...new Set(items.map(({ collection }) => collection ?? ""))].filter((id) => !recorded.has(id));
  const documents = missing.map((id): [string, Json] => {
    const times = items.filter(({ collection }) => collection === id).map(({ properties }) => properties.datetime);
    return [
      id,
      {
        type: "Collection",
        stac_version: "1.0.0",
        id,
        description: id,
        license: "other",
        extent: {
          spatial: { bbox: [[-180, -90, 180, 90]] },
          temporal: { interval: [[times.map(String).sort()[0] ?? null, null]] },
        },
        links: [{ rel: "self", href: `${root}/collections/${id}`, type: "application/json" }],
      },
    ];
  });
  return new Map([...recorded, ...documents]);
}
