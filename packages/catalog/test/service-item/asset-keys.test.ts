import { describe, expect, test } from "vitest";
import { toServiceItem } from "../../src/index.ts";
import { type Document, fixtures, recordedFiles } from "../fixtures.ts";

/** An item with these assets and nothing else that matters. */
function itemOf(collection: string, id: string, assets: Document): Document {
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id,
    collection,
    geometry: { type: "Point", coordinates: [10, 50] },
    bbox: [9, 49, 11, 51],
    properties: { datetime: "2024-05-01T10:00:00Z" },
    links: [],
    assets,
  };
}

const letters = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");

describe.skipIf(fixtures === undefined)("Planetary Computer's keys lead to the bands of their titles", () => {
  const files = recordedFiles("planetary-computer").filter(({ path }) => path.includes("/collections-2025-"));
  const collections = files.flatMap(({ document }) => {
    const { body } = (document as Document).response as { body: { collections: Document[] } };
    return body.collections;
  });
  test.each([
    { id: "hls2-l30", item: "HLS.L30.T32UQD.2024122T100000.v2.0", becomes: "hls", bands: 15 },
    { id: "hls2-s30", item: "HLS.S30.T32UQD.2024122T100000.v2.0", becomes: "hls", bands: 18 },
    { id: "sentinel-1-rtc", item: "S1A_IW_GRDH_1SDH_20240501T100000_rtc", becomes: "sentinel-1-rtc", bands: 4 },
  ])("$id", ({ id, item, becomes, bands }) => {
    const collection = collections.find((each) => each.id === id);
    const described = Object.entries((collection?.item_assets ?? {}) as Record<string, Document>).filter(
      ([, { type }]) => String(type).startsWith("image/tiff"),
    );
    const assets = Object.fromEntries(
      described.map(([key, asset]) => [key, { ...asset, href: `https://example.org/${item}.${key}.tif` }]),
    );
    const shown = toServiceItem(itemOf(id, item, assets));
    expect(shown?.collection).toBe(becomes);
    const found = Object.entries(shown?.assets ?? {}).filter(([, asset]) => asset["svc:band"] !== undefined);
    expect(found).toHaveLength(bands);
    for (const [name, { title }] of found) expect(letters(title)).toMatch(new RegExp(`^${letters(name)}`));
  });
});

/** Files of a granule as the newer CMR-STAC lists them: each twice, and none with a media type. */
function twins(id: string, bands: readonly string[]): Document {
  const file = (root: string, band: string): string => `${root}/lp-prod-protected/HLSL30.020/${id}/${id}.${band}.tif`;
  return Object.fromEntries(
    bands.flatMap((band) => [
      [band, { href: file("https://data.lpdaac.earthdatacloud.nasa.gov", band), roles: ["data"] }],
      [`s3_${band}`, { href: file("s3:/", band), roles: ["data"], "storage:refs": ["aws"] }],
    ]),
  );
}

test("files without a media type are rasters, and their twins at addresses of S3 stay aside", () => {
  const id = "HLS.L30.T15UXP.2024042T165831.v2.0";
  const shown = toServiceItem(itemOf("HLSL30_2.0", id, twins(id, ["B04", "B05", "Fmask"])));
  expect(Object.entries(shown?.assets ?? {}).map(([key, { href, type }]) => [key, href.split("/")[2], type])).toEqual([
    ["Red", "data.lpdaac.earthdatacloud.nasa.gov", "image/tiff; application=geotiff; profile=cloud-optimized"],
    ["NIR_Narrow", "data.lpdaac.earthdatacloud.nasa.gov", "image/tiff; application=geotiff; profile=cloud-optimized"],
    ["Fmask", "data.lpdaac.earthdatacloud.nasa.gov", "image/tiff; application=geotiff; profile=cloud-optimized"],
  ]);
});

test.each([
  { what: "by its type", asset: { href: "https://example.org/a", type: "image/tiff; application=geotiff" }, is: true },
  { what: "by the name of its file", asset: { href: "https://example.org/a.TIF?x=1" }, is: true },
  { what: "by its role", asset: { href: "https://example.org/Nodes(a)/$value", roles: ["data"] }, is: true },
  { what: "not by another type", asset: { href: "https://example.org/a.tif", type: "text/plain" }, is: false },
  { what: "not by another file's name", asset: { href: "https://example.org/a.xml", roles: ["data"] }, is: false },
  { what: "not without a sign", asset: { href: "https://example.org/a" }, is: false },
])("an asset is the raster of its band $what", ({ asset, is }) => {
  const shown = toServiceItem(itemOf("HLSL30_2.0", "HLS.L30.T15UXP.2024042T165831.v2.0", { B04: asset }));
  expect(shown?.assets.Red?.["svc:band"]).toBe(is ? "Red" : undefined);
});

test("of files of one band the GeoTIFF is shown, else the one in its own resolution, whatever their order", () => {
  const jp2 = (resolution: number) => ({ href: `s3://eodata/R${resolution}m/B02.jp2`, type: "image/jp2" });
  const tiff = { href: "https://example.org/B02.tif", type: "image/tiff" };
  const hrefOf = (assets: Document): string | undefined =>
    toServiceItem(itemOf("sentinel-2-l2a", "S2A_MSIL2A_20240501T100000_N0510_R1_T32UQD_x", assets))?.assets.B02?.href;
  expect(hrefOf({ B02_60m: jp2(60), B02_10m: jp2(10), B02_20m: jp2(20) })).toBe("s3://eodata/R10m/B02.jp2");
  expect(hrefOf({ "blue-jp2": jp2(10), blue: tiff })).toBe(tiff.href);
  expect(hrefOf({ blue: tiff, "blue-jp2": jp2(10) })).toBe(tiff.href);
});

test("an item of JPEG 2000 alone says so, and one with another file does not", () => {
  const formatOf = (assets: Document): unknown =>
    toServiceItem(itemOf("sentinel-2-l2a", "S2A_T32UQD_20240501T100000_L2A", assets))?.properties["svc:band_format"];
  const jp2 = { href: "s3://eodata/B02.jp2", type: "image/jp2" };
  expect(formatOf({ B02_10m: jp2 })).toBe("image/jp2");
  expect(formatOf({ B02_10m: jp2, red: { href: "https://example.org/B04.tif", type: "image/tiff" } })).toBeUndefined();
  expect(formatOf({})).toBeUndefined();
});

test("places that are not Amazon's are not shown as Amazon's, and a known bucket's region is its own", () => {
  const item = itemOf("sentinel-2-l2a", "S2A_T32UQD_20240501T100000_L2A", {
    red: { href: "s3://eodata/B04.tif", type: "image/tiff" },
    blue: { href: "s3://copernicus-dem-30m/B02.tif", type: "image/tiff", "storage:region": "us-west-2" },
  });
  const shown = toServiceItem(item);
  expect(shown?.assets.B04).not.toHaveProperty("storage:refs");
  expect(shown?.properties["storage:schemes"]).toEqual({
    aws: expect.objectContaining({ bucket: "copernicus-dem-30m", region: "eu-central-1" }),
  });
  const place = { type: "aws-s3", platform: "https://{bucket}.s3.{region}.amazonaws.com", region: "eu-west-1" };
  const schemes = { own: { ...place, bucket: "copernicus-dem-30m" }, other: { ...place, bucket: "mine" } };
  const described = toServiceItem({
    ...item,
    properties: { datetime: "2024-05-01T10:00:00Z", "storage:schemes": schemes },
  });
  expect(described?.assets.B02?.["storage:refs"]).toEqual(["own"]);
  expect(described?.properties["storage:schemes"]).toEqual({
    own: { ...schemes.own, region: "eu-central-1", requester_pays: false },
    other: schemes.other,
  });
});

test.each([
  { box: [-180.0014, -90, -179.0014, -89], is: [179.9986, -90, -179.0014, -89] },
  { box: [179.5, 10, 180.5, 11], is: [179.5, 10, -179.5, 11] },
  { box: [170, 10, -170, 11], is: [170, 10, -170, 11] },
  { box: [-180, 10, 180, 11], is: [179, 10, -179, 11] },
  { box: [9, 49, 100, 11, 51, 200], is: [9, 49, 11, 51] },
])("a box $box is shown as $is", ({ box, is }) => {
  const ring = (west: number, east: number) => [
    [
      [west, 10],
      [east, 10],
      [east, 11],
      [west, 11],
      [west, 10],
    ],
  ];
  const item = {
    ...itemOf("sentinel-2-l2a", "S2A_T01UQD_20240501T100000_L2A", {}),
    geometry: { type: "MultiPolygon", coordinates: [ring(179, 180), ring(-180, -179)] },
    bbox: box,
  };
  expect(toServiceItem(item)?.bbox?.map((each) => Math.round(each * 1e4) / 1e4)).toEqual(is);
});

test.each([
  { epsg: 32632, is: 32632, why: "the zone of the scene" },
  { epsg: 32633, is: 32633, why: "a zone beside it" },
  { epsg: 32732, is: 32732, why: "the zone of the other hemisphere, which Landsat uses" },
  { epsg: 3271, is: undefined, why: "no code of its files" },
  { epsg: 32660, is: undefined, why: "a zone on the other side of the earth" },
])("EPSG:$epsg is shown as $is: $why", ({ epsg, is }) => {
  const item = itemOf("sentinel-2-l2a", "S2A_T32UQD_20240501T100000_L2A", {
    red: { href: "https://example.org/B04.tif", type: "image/tiff", "proj:code": `EPSG:${epsg}` },
  });
  const shown = toServiceItem({ ...item, properties: { datetime: "2024-05-01T10:00:00Z", "proj:epsg": epsg } });
  expect([shown?.properties["proj:epsg"], shown?.assets.B04?.["proj:epsg"]]).toEqual([is, is]);
  expect([shown?.properties["proj:code"], shown?.assets.B04?.["proj:code"]]).toEqual([
    is && `EPSG:${is}`,
    is && `EPSG:${is}`,
  ]);
});
