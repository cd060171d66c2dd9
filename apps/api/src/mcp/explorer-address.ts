import type { Item } from "@swath/catalog";
import { unwrapBbox, wrapBbox } from "@swath/geometry";
import { type Interval, itemTime } from "@swath/query";
import type { Link } from "@swath/stac";

/** Metres a pixel at zoom 0 of the explorer's map, whose tiles are of 512 pixels. */
const ZOOM_0_DEGREES = 360 / 512;
/** Pixels of the map that the box is to fill. */
const SHOWN_PIXELS = 700;

/** The view that the explorer opens with. */
export interface ExplorerView {
  readonly preset: string;
  readonly collection: string;
  /** Degrees. */
  readonly bbox: readonly number[];
  /** The scenes of this time; absent: those of the item's day. */
  readonly window?: Interval | undefined;
  /** Shown alone. */
  readonly item?: Item | undefined;
}

/** A link to the explorer that opens with this view, as its address bar writes it. */
export function explorerAddress(baseUrl: string, view: ExplorerView, now: Date): Link {
  const { preset, collection, bbox, window, item } = view;
  const [w = 0, s = 0, e = 0, n = 0] = bbox.length === 6 ? [0, 1, 3, 4].map((i) => bbox[i]) : bbox;
  const [west, south, east, north] = unwrapBbox([w, s, e, n]);
  const [longitude] = wrapBbox([(west + east) / 2, south, (west + east) / 2, north]);
  const span = Math.max(east - west, north - south, 1e-6);
  const zoom = Math.log2((ZOOM_0_DEGREES * SHOWN_PIXELS) / span);
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const acquired = item === undefined ? now.getTime() : Date.parse(String(itemTime(item.properties)));
  const at = (end: Interval["start"] | undefined, open: number): number =>
    end === undefined ? open : Number(end.nanoseconds / 1_000_000n);
  const [from, to] = [day(at(window?.start, acquired)), day(at(window?.end, acquired))];
  const fields = [
    `preset=${encodeURIComponent(preset)}`,
    `collection=${encodeURIComponent(collection)}`,
    `dates=${from}/${to}`,
    ...(item === undefined ? [] : [`scene=${encodeURIComponent(item.id)}`]),
    `map=${zoom.toFixed(2)}/${((south + north) / 2).toFixed(5)}/${longitude.toFixed(5)}`,
  ];
  return {
    rel: "alternate",
    type: "text/html",
    href: `${baseUrl}/explore#${fields.join("&")}`,
    title: "The same on a map",
  };
}
