import type { Document } from "../fixtures.ts";
import { randomOf, upstreamItems } from "./upstream-items.ts";

/**
 * Items as archives have them: some lack properties that most have, a cloud cover is out of its range, and footprints at
 * 180 degrees are cut there, written the wrong way round the world, or run on beyond it.
 */
export function rawItems(count: number, seed = 1): Document[] {
  const random = randomOf(seed + 99);
  return upstreamItems(count, seed).map((item) => {
    const properties = { ...(item.properties as Document) } as Record<string, unknown>;
    if (random() < 0.12) delete properties["eo:cloud_cover"];
    else if (random() < 0.05) properties["eo:cloud_cover"] = -1;
    if (random() < 0.1) delete properties.created;
    if (random() < 0.1) delete properties.gsd;
    return { ...item, properties, geometry: asWritten(item.geometry as Document, Math.floor(random() * 4)) };
  });
}

type Rings = readonly (readonly (readonly number[])[])[];

/** A footprint that is cut at 180 degrees, in one of the ways that archives write it in. */
function asWritten(geometry: Document, way: number): Document {
  if (geometry.type !== "MultiPolygon" || way === 0) return geometry;
  const [west = [], east = []] = geometry.coordinates as readonly Rings[];
  const [first = [], second = []] = [west[0] ?? [], east[0] ?? []];
  // the outer corners of both halves: those at 180 degrees are where they were cut
  const outer = (ring: Rings[number]) => ring.filter(([x = 0]) => Math.abs(x) < 180);
  const beyond = (turn: number): readonly (readonly number[])[] => {
    const [a, b] = [outer(first).slice(0, 1), outer(first).slice(-2, -1)];
    const [c, d] = [outer(second).slice(0, 1), outer(second).slice(1, 2)];
    const shifted = [...c, ...d].map(([x = 0, y = 0]) => [x + 360, y]);
    const ring = [...a, ...shifted, ...b, ...a].map(([x = 0, y = 0]) => [x + turn, y]);
    return ring;
  };
  if (way === 1) return { type: "Polygon", coordinates: [beyond(0)] };
  if (way === 2) return { type: "Polygon", coordinates: [beyond(-360)] };
  const wrapped = beyond(0).map(([x = 0, y = 0]) => [x > 180 ? x - 360 : x, y]);
  return { type: "Polygon", coordinates: [wrapped] };
}

/** Granules of HLS as CMR-STAC writes them: without platform, with the time from the first line to the last. */
export function hlsItems(count: number, seed = 1): Document[] {
  const random = randomOf(seed + 7);
  return rawItems(count, seed).map((item, i) => {
    const { datetime, "eo:cloud_cover": cover } = item.properties as Document;
    const [product, tile] = random() < 0.5 ? ["L30", "T19LBJ"] : ["S30", "T35VLJ"];
    const start = new Date(Date.parse(String(datetime))).toISOString();
    const end = new Date(Date.parse(start) + 24_000).toISOString();
    return {
      ...item,
      id: `HLS.${product}.${tile}.${2024000 + i}T144556.v2.0`,
      collection: `HLS${product}_2.0`,
      properties: {
        datetime: start,
        start_datetime: start,
        end_datetime: end,
        ...(cover === undefined ? {} : { "eo:cloud_cover": typeof cover === "number" ? Math.round(cover) : cover }),
      },
      assets: { B04: { href: `https://data.example/${i}.B04.tif`, type: "image/tiff; application=geotiff" } },
    };
  });
}
