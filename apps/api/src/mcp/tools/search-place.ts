import { shapeBbox, toShape } from "@swath/geometry";
import { parseBbox, parseDatetime, parseIntersects } from "@swath/query";
import type { Asked } from "../coverage.ts";

/** Returns the area and time of a search that was carried out: its members are good. */
export function placeAsked(input: Readonly<Record<string, unknown>>): Pick<Asked, "bbox" | "window"> {
  const at = (name: string) => ({ in: "body", pointer: `/${name}` }) as const;
  const { bbox, intersects, datetime } = input;
  const box =
    bbox !== undefined
      ? parseBbox(bbox, at("bbox"))
      : intersects !== undefined
        ? shapeBbox(toShape(parseIntersects(intersects, at("intersects"))))
        : undefined;
  return { bbox: box, window: datetime === undefined ? undefined : parseDatetime(datetime, at("datetime")) };
}
