import type { Preset } from "./api.ts";
import { h } from "./dom.ts";

/** Stops of the rdylgn colormap, as matplotlib has them (ColorBrewer 11-class RdYlGn). */
const RDYLGN = [
  "a50026",
  "d73027",
  "f46d43",
  "fdae61",
  "fee08b",
  "ffffbf",
  "d9ef8b",
  "a6d96a",
  "66bd63",
  "1a9850",
  "006837",
];
const CHANNELS = ["Red", "Green", "Blue"] as const;

/** What the colours of a preset mean. */
export function legend(preset: Preset, collection: string): HTMLElement {
  const recipe = preset["svc:recipes"]?.[collection];
  const [low, high] = recipe?.rescale ?? preset.rescale ?? [0, 1];
  if (preset.expression !== undefined || preset.bands.length === 1) {
    const middle = (low + high) / 2;
    const ramp = h("div", { class: "ramp" });
    ramp.style.background = `linear-gradient(to right, ${RDYLGN.map((color) => `#${color}`).join(",")})`;
    return h(
      "div",
      { class: "legend", role: "group", "aria-label": `Legend of ${preset.title}` },
      h("strong", {}, preset.title),
      ramp,
      h(
        "div",
        { class: "ramp-labels" },
        [low, middle, high].map((value) => h("span", {}, Number(value.toFixed(2)))),
      ),
    );
  }
  const isNatural = preset.bands.join() === "red,green,blue";
  return h(
    "div",
    { class: "legend", role: "group", "aria-label": `Legend of ${preset.title}` },
    h("strong", {}, preset.title),
    preset.description !== undefined && h("span", { class: "legend-note" }, preset.description),
    !isNatural &&
      h(
        "ul",
        {},
        preset.bands
          .slice(0, 3)
          .map((band, i) =>
            h("li", {}, h("i", { class: `dot ${(CHANNELS[i] ?? "").toLowerCase()}` }), `${CHANNELS[i]}: ${band}`),
          ),
      ),
  );
}
