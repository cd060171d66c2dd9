import type { Json, RecordedItem, Recordings } from "../recordings.ts";

interface RelatedUrl {
  readonly URL: string;
  readonly Type: string;
  readonly Description?: string;
}

/**
 * Items of CMR-STAC: the recorded one, and those that its public source makes of the recorded granules of CMR
 * (nasa/cmr-stac@f7c6e95, `granuleToStac`): the newer form, with an `s3_` twin of each file and the storage extension.
 * No items of HLSS30 were recorded; they have the same form with the bands of its user guide.
 */
export function cmrItems(recordings: Recordings): readonly RecordedItem[] {
  const answer = recordings.document("nasa-cmr/granules-umm-json-HLSL30-2024-02.json") as Json;
  const { items } = (answer.response as { body: { items: readonly { meta: Json; umm: Json }[] } }).body;
  return [...recordings.items("nasa-cmr-stac"), ...items.map(({ meta, umm }) => granuleItem(meta, umm)), s30Item()];
}

function granuleItem(meta: Json, umm: Json): RecordedItem {
  const id = String(umm.GranuleUR);
  const urls = umm.RelatedUrls as readonly RelatedUrl[];
  const range = (umm.TemporalExtent as { RangeDateTime: Json }).RangeDateTime;
  const attributes = umm.AdditionalAttributes as readonly { Name: string; Values: readonly string[] }[];
  const cover = attributes.find(({ Name }) => Name === "CLOUD_COVERAGE")?.Values[0];
  const spatial = umm.SpatialExtent as {
    HorizontalSpatialDomain: { Geometry: { GPolygons: readonly { Boundary: { Points: readonly Json[] } }[] } };
  };
  const points = spatial.HorizontalSpatialDomain.Geometry.GPolygons[0]?.Boundary.Points ?? [];
  const ring = points.map(({ Longitude, Latitude }) => [Number(Longitude), Number(Latitude)]);
  return itemOf({
    id,
    collection: "HLSL30_2.0",
    start: String(range.BeginningDateTime),
    end: String(range.EndingDateTime),
    cover: Number(cover),
    ring,
    concept: String(meta["concept-id"]),
    urls,
  });
}

/** A granule of Sentinel-2 that exists; times and footprint as its catalogue entry of stactools has them. */
function s30Item(): RecordedItem {
  const id = "HLS.S30.T19LDD.2022166T144741.v2.0";
  const bands = "B01 B02 B03 B04 B05 B06 B07 B08 B8A B09 B10 B11 B12 Fmask SAA SZA VAA VZA".split(" ");
  const path = (bucket: string, file: string): string => `${bucket}/HLSS30.020/${id}/${file}`;
  const https = "https://data.lpdaac.earthdatacloud.nasa.gov/";
  const urls = [
    ...bands.flatMap((band) => [
      { URL: `${https}${path("lp-prod-protected", `${id}.${band}.tif`)}`, Type: "GET DATA" },
      { URL: `s3://${path("lp-prod-protected", `${id}.${band}.tif`)}`, Type: "GET DATA VIA DIRECT ACCESS" },
    ]),
    { URL: `${https}${path("lp-prod-public", `${id}.jpg`)}`, Type: "GET RELATED VISUALIZATION" },
    { URL: `s3://${path("lp-prod-public", `${id}.jpg`)}`, Type: "GET RELATED VISUALIZATION" },
  ];
  const [west, south, east, north] = [-69.93254162, -15.46499836, -68.90901604, -14.47045659];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const time = "2022-06-15T14:57:16.704Z";
  return itemOf({
    id,
    collection: "HLSS30_2.0",
    start: time,
    end: time,
    cover: 0,
    ring,
    concept: "G0000000000-LPCLOUD",
    urls,
  });
}

interface Granule {
  readonly id: string;
  readonly collection: string;
  readonly start: string;
  readonly end: string;
  readonly cover: number;
  readonly ring: readonly (readonly number[])[];
  readonly concept: string;
  readonly urls: readonly RelatedUrl[];
}

function itemOf({ id, collection, start, end, cover, ring, concept, urls }: Granule): RecordedItem {
  const lons = ring.map(([lon = 0]) => lon);
  const lats = ring.map(([, lat = 0]) => lat);
  const root = "https://cmr.earthdata.nasa.gov/stac";
  const own = `${root}/LPCLOUD/collections/${collection}`;
  return {
    type: "Feature",
    id,
    stac_version: "1.1.0",
    stac_extensions: [
      "https://stac-extensions.github.io/eo/v1.0.0/schema.json",
      "https://stac-extensions.github.io/storage/v2.0.0/schema.json",
    ],
    properties: {
      datetime: start,
      "eo:cloud_cover": cover,
      "storage:schemes": {
        aws: {
          type: "aws-s3",
          platform: "https://{bucket}.s3.{region}.amazonaws.com",
          bucket: "lp-prod-protected",
          region: "us-west-2",
        },
      },
      start_datetime: start,
      end_datetime: end,
    },
    geometry: { type: "Polygon", coordinates: [ring] },
    bbox: [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)],
    assets: assetsOf(urls, concept),
    links: [
      { rel: "self", href: `${own}/items/${id}`, type: "application/geo+json" },
      // the slashes at the end are the archive's
      { rel: "parent", href: `${own}/`, type: "application/geo+json" },
      { rel: "collection", href: `${own}/`, type: "application/geo+json" },
      { rel: "root", href: root, type: "application/json" },
      { rel: "provider", href: `${root}/LPCLOUD`, type: "application/json" },
    ],
    collection,
  };
}

/** Assets are called by what stands before the ending of their file; no file has a `type`. */
function assetsOf(urls: readonly RelatedUrl[], concept: string): Record<string, Json> {
  const of = (type: string): RelatedUrl[] => urls.filter(({ Type }) => Type === type);
  const keyOf = ({ URL: address }: RelatedUrl): string => address.split(".").at(-2) ?? "asset_key";
  const number = (list: readonly unknown[], i: number, before: string): string =>
    list.length > 1 ? `${before}${i}` : "";
  const pictures = of("GET RELATED VISUALIZATION");
  const [files, twins] = [of("GET DATA"), of("GET DATA VIA DIRECT ACCESS")];
  const browse = pictures.find(({ URL: address }) => address.startsWith("http"));
  const title = (what: string, i: number, list: readonly unknown[]): string =>
    list.length > 1 ? `${what} [${i}]` : what;
  return {
    ...(browse === undefined
      ? {}
      : { browse: { href: browse.URL, title: "Download", type: "image/jpeg", roles: ["browse"] } }),
    ...Object.fromEntries(
      pictures.map((each, i) => [
        `thumbnail${number(pictures, i, "_")}`,
        { href: each.URL, title: title("Thumbnail", i, pictures), description: each.Description, roles: ["thumbnail"] },
      ]),
    ),
    ...Object.fromEntries(
      files.map((each, i) => [
        keyOf(each),
        { href: each.URL, title: title("Direct Download", i, files), description: each.Description, roles: ["data"] },
      ]),
    ),
    ...Object.fromEntries(
      twins.map((each, i) => [
        `s3_${keyOf(each)}`,
        {
          href: each.URL,
          title: title("S3 Direct Download", i, twins),
          description: each.Description,
          roles: ["data"],
          "storage:refs": ["aws"],
        },
      ]),
    ),
    metadata: {
      href: `https://cmr.earthdata.nasa.gov/search/concepts/${concept}.xml`,
      title: `CMR XML metadata for ${concept}`,
      type: "application/xml",
      roles: ["metadata"],
    },
  };
}
