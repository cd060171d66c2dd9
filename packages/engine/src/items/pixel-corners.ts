import type { Item } from "@swath/catalog";
import { resolveCrs, utmZone } from "@swath/raster";
import { bandOfCommonName } from "@swath/schema";
import type { BandProgram } from "../what/band-program.ts";
import type { PixelCorner } from "../where/alignment.ts";
import { bandOfItem } from "./item-bands.ts";
import { placementOf } from "./placement.ts";

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
      const placement = placementOf(item, asset);
      if (placement === undefined || !isKnown(placement.crs)) return [];
      const [a, b, x, d, e, y] = placement.transform;
      return b === 0 && d === 0
        ? [{ crs: resolveCrs(placement.crs), x, y, resolution: [Math.abs(a), Math.abs(e)] }]
        : [];
    }),
  );
}

/** CRSs that requests can name. */
const isKnown = (crs: string): boolean =>
  crs === "EPSG:4326" || crs === "EPSG:3857" || utmZone(Number(crs.slice("EPSG:".length))) !== undefined;
