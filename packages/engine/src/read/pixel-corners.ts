import type { Item } from "@swath/catalog";
import { resolveCrs, utmZone } from "@swath/raster";
import { bandOfCommonName } from "@swath/schema";
import type { BandProgram } from "../what/band-program.ts";
import type { PixelCorner } from "../where/alignment.ts";
import { assetFact } from "./asset-file.ts";
import { bandOfItem } from "./item-bands.ts";

/** The coarsest native resolution of the bands, metres; of a virtual collection that of all its members. */
export function coarsestResolution({ match: { collection }, bands }: Pick<BandProgram, "match" | "bands">): number {
  const { virtual } = collection;
  const own =
    virtual === undefined
      ? bands
      : bands.flatMap(({ name }) => virtual.members.flatMap((member) => bandOfCommonName(member, name) ?? []));
  return Math.max(...own.map(({ gsd }) => gsd));
}

/** Returns the points where the pixels of items' files meet, as far as the items state their grids. */
export function pixelCorners(
  items: readonly Item[],
  { match: { collection }, bands }: Pick<BandProgram, "match" | "bands">,
): readonly PixelCorner[] {
  return items.flatMap((item) =>
    bands.flatMap((asked): PixelCorner[] => {
      const asset = bandOfItem(item, collection, asked)?.asset;
      const code = assetFact(item, asset, "proj:epsg");
      const transform = assetFact(item, asset, "proj:transform");
      if (typeof code !== "number" || !isKnown(code) || !Array.isArray(transform)) return [];
      const [a, b, x, d, e, y] = transform.map(Number);
      if (a === undefined || b !== 0 || d !== 0 || e === undefined || x === undefined || y === undefined) return [];
      return [{ crs: resolveCrs(`EPSG:${code}`), x, y, resolution: [Math.abs(a), Math.abs(e)] }];
    }),
  );
}

/** CRSs that requests can name. */
const isKnown = (code: number): boolean => code === 4326 || code === 3857 || utmZone(code) !== undefined;
