import type { Preset } from "./api.ts";
import { COLOR_RAMPS } from "./color-ramps.ts";
import { h } from "./dom.ts";

const CHANNELS = ["Red", "Green", "Blue"] as const;

/** Explains the colours of a preset. */
export function legend(preset: Preset, collection: string): HTMLElement {
  const recipe = preset["svc:recipes"]?.[collection];
  const colors = COLOR_RAMPS[recipe?.colormap ?? preset.colormap ?? ""];
  if (colors !== undefined) {
    // the preset's range is in physical units, a recipe's may be in stored numbers
    const [low, high] = preset.rescale ?? recipe?.rescale ?? [0, 1];
    const middle = (low + high) / 2;
    const ramp = h("div", { class: "ramp" });
    ramp.style.background = `linear-gradient(to right, ${colors.map((color) => `#${color}`).join(",")})`;
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
      preset.bands.length > 1 &&
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
