import type { Band } from "./api.ts";
import { svg } from "./dom.ts";

const WIDTH = 320;
const HEIGHT = 120;
const LEFT = 30;
const BOTTOM = 20;
/** Micrometres shown. */
const FIRST = 0.4;
const LAST = 2.4;

/** Reflectance of one pixel over wavelength. */
export function spectrum(bands: readonly Band[], values: readonly (number | undefined)[]): SVGSVGElement {
  const points = bands
    .map((band, i) => ({ band, value: values[i], wavelength: band.center_wavelength }))
    .filter((point): point is { band: Band; value: number; wavelength: number } => {
      return point.value !== undefined && point.wavelength !== undefined && point.band.unit === "REFLECTANCE";
    })
    .sort((a, b) => a.wavelength - b.wavelength);
  const top = Math.max(0.3, ...points.map(({ value }) => Math.ceil(value * 10) / 10));
  const x = (wavelength: number): number => LEFT + ((wavelength - FIRST) / (LAST - FIRST)) * (WIDTH - LEFT - 8);
  const y = (value: number): number => 8 + (1 - Math.max(0, value) / top) * (HEIGHT - BOTTOM - 8);
  const ticks = [0, top / 2, top];
  const text = points.map(({ band, value }) => `${band.name} ${value.toFixed(3)}`).join(", ");
  return svg(
    "svg",
    {
      class: "spectrum",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": `Reflectance by wavelength: ${text}`,
    },
    ticks.map((value) => [
      svg("line", { class: "grid", x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value) }),
      svg("text", { x: LEFT - 5, y: y(value) + 4, "text-anchor": "end" }, value.toFixed(2)),
    ]),
    [0.5, 1, 1.5, 2].map((micrometres) =>
      svg("text", { x: x(micrometres), y: HEIGHT - 4, "text-anchor": "middle" }, `${micrometres} µm`),
    ),
    svg("polyline", { points: points.map(({ wavelength, value }) => `${x(wavelength)},${y(value)}`).join(" ") }),
    points.map(({ wavelength, value }) => svg("circle", { cx: x(wavelength), cy: y(value), r: 3 })),
  );
}
