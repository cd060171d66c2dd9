import type { Field } from "../../fields/read-fields.ts";
import type { Overlay, OverlayLayer } from "../../map/port.ts";

/** Colors of fields on the map, as those of their curves; light ones, for they lie on images. */
const isChosen = ["boolean", ["get", "chosen"], false];

/** Layers of fields: outlines in the colors of their curves, the chosen one thicker; points as circles. */
export const FIELD_LAYERS: readonly OverlayLayer[] = [
  { type: "fill", paint: () => ({ "fill-color": ["get", "color"], "fill-opacity": ["case", isChosen, 0.25, 0.08] }) },
  { type: "line", paint: ({ halo }) => ({ "line-color": halo, "line-width": ["case", isChosen, 6, 4] }) },
  { type: "line", paint: () => ({ "line-color": ["get", "color"], "line-width": ["case", isChosen, 3.5, 2] }) },
  {
    type: "circle",
    paint: ({ halo }) => ({
      "circle-radius": ["case", ["==", ["geometry-type"], "Point"], ["case", isChosen, 8, 6], 0],
      "circle-color": ["get", "color"],
      "circle-stroke-color": halo,
      "circle-stroke-width": ["case", ["==", ["geometry-type"], "Point"], 2, 0],
    }),
  },
];

/** Draws fields in the colors of their curves. */
export function showFields(
  overlay: Overlay,
  fields: readonly Field[],
  colors: readonly string[],
  chosen: string | undefined,
): void {
  overlay.set(
    fields.map(({ id, geometry }, i) => ({
      type: "Feature",
      geometry: geometry as unknown as GeoJSON.Geometry,
      properties: { id, color: colors[i % colors.length], chosen: id === chosen },
    })),
  );
}

/** The box around fields: west, south, east, north in degrees; undefined where there are none. */
export function boxOf(fields: readonly Field[]): readonly [number, number, number, number] | undefined {
  const points = fields.flatMap(({ geometry: { type, coordinates } }) =>
    type === "Point" ? [coordinates] : type === "Polygon" ? coordinates.flat() : coordinates.flat(2),
  );
  if (points.length === 0) return undefined;
  const lons = points.map(([lon]) => lon);
  const lats = points.map(([, lat]) => lat);
  return [
    lons.reduce((least, lon) => Math.min(least, lon)),
    lats.reduce((least, lat) => Math.min(least, lat)),
    lons.reduce((most, lon) => Math.max(most, lon)),
    lats.reduce((most, lat) => Math.max(most, lat)),
  ];
}
