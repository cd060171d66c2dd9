import type { Api } from "../../api/api.ts";
import type { HeaderSource } from "../../api/credentials.ts";
import type { Landing } from "../../api/types.ts";
import type { Bbox } from "../../geometry/area.ts";
import { syntheticCredit } from "../../map/credit-line.ts";
import type { Imagery } from "../../map/port.ts";
import type { MapView } from "../../view/view.ts";
import type { SwipeRequest } from "./swipe-request.ts";

/** The part of a TileJSON document that is read here. */
interface TileJson {
  readonly attribution: string;
  readonly tiles: readonly [string];
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds: Bbox;
  readonly center: readonly [lon: number, lat: number, zoom: number];
}

/** Both images, as their documents describe them. */
export interface TileSets {
  readonly credit: string;
  readonly left: Imagery;
  readonly right: Imagery;
  /** Where the map opens unless it is told otherwise. */
  readonly center: MapView;
}

const imageryOf = ({ tiles: [tiles], minzoom, maxzoom, bounds }: TileJson): Imagery => ({
  tiles,
  minzoom,
  maxzoom,
  bounds,
});

/** Reads the documents of two images. */
export async function readTileSets(
  api: Api<HeaderSource>,
  { map, preset, collection, left, right }: SwipeRequest,
  signal: AbortSignal,
): Promise<TileSets> {
  const read = ({ from, to }: SwipeRequest["left"]): Promise<TileJson> => {
    const datetime = from === to ? from : `${from}/${to}`;
    const query = new URLSearchParams({
      datetime,
      format: "webp",
      ...(collection === undefined ? {} : { collection }),
    });
    return api.json(`${map}/presets/${preset}/tilejson.json?${query}`, { signal });
  };
  const landing = api.json<Landing>(map.replace(/\/m\/[^/]+$/, ""), { signal });
  const [first, second, { "svc:synthetic": isSynthetic = false }] = await Promise.all([
    read(left),
    read(right),
    landing,
  ]);
  const [lon, lat, zoom] = first.center;
  const images = [...new Set([first.attribution, second.attribution])].join(" · ");
  return {
    credit: [syntheticCredit(images, isSynthetic), "Land: Natural Earth"].filter((part) => part !== "").join(" · "),
    left: imageryOf(first),
    right: imageryOf(second),
    // zooms of TileJSON are of tiles of 256 pixels
    center: { lon, lat, zoom: zoom - 1 },
  };
}
