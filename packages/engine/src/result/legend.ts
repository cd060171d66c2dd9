import { colormap } from "@swath/raster/style";
import { type BandSchema, type CollectionSchema, findBand, units } from "@swath/schema";
import type { PresetRecipe } from "../job/image-plan.ts";
import type { DrawnRecipe } from "../what/custom-preset.ts";

/** Colors of a ramp, at equal steps. */
const RAMP_COLORS = 33;
const COLORS = ["#d62728", "#2ca02c", "#1f77b4"] as const;

/** The meaning of an image's colors: values of a ramp, or bands shown as channels. Colors are `#rrggbb`. */
export type PresetLegend =
  | {
      readonly kind: "ramp";
      readonly title: string;
      /** Values of the first and the last color. */
      readonly range: readonly [number, number];
      readonly colors: readonly string[];
      /** Symbol of the values' unit; absent: plain numbers. */
      readonly unit?: string;
    }
  | {
      readonly kind: "channels";
      readonly title: string;
      readonly channels: readonly { readonly color: string; readonly name: string }[];
    };

/** The legend of images of a preset from one collection. */
export function legendOf({ preset, recipe, collection }: PresetRecipe): PresetLegend {
  const { title } = preset;
  if (recipe.hillshade !== undefined) {
    return { kind: "channels", title, channels: [{ color: "#808080", name: "slopes, lit from the north-west" }] };
  }
  const shown =
    recipe.expression?.split(";").filter((text) => text.trim() !== "") ??
    (preset.bands.length > 1 ? preset.bands : recipe.assets);
  const [low, high] = drawnRange(collection, recipe) ?? preset.rescale ?? [];
  if (shown.length === 1 && low !== undefined && high !== undefined) {
    const unit = recipe.expression === undefined ? unitSymbol(collection, recipe.assets[0] ?? "") : "";
    return {
      kind: "ramp",
      title,
      range: [low, high],
      colors: colorsOf(recipe.colormap),
      ...(unit === "" ? {} : { unit }),
    };
  }
  const names = preset.expression?.split(";") ?? preset.bands;
  const channels = names.slice(0, 3).map((name, i) => ({ color: COLORS[i] ?? "#808080", name: name.trim() }));
  return { kind: "channels", title, channels };
}

/** The values of the first and the last color: those of the recipe, which may be stored numbers. */
function drawnRange(
  collection: CollectionSchema,
  { ranges, rescale, units: given, expression, assets }: DrawnRecipe,
): readonly number[] | undefined {
  const drawn = ranges?.[0] ?? rescale;
  const band = bandOf(collection, assets[0] ?? "");
  const isStored = given === undefined && expression === undefined && collection.scaling === undefined;
  if (drawn === undefined || band === undefined || !isStored || (band.scale === 1 && band.offset === 0)) return drawn;
  // stored numbers are steps, and a range in them is never quite round
  return drawn.map((stored) => Number((stored * band.scale + band.offset).toPrecision(5)));
}

function colorsOf(name: string | undefined): readonly string[] {
  const table = name === undefined ? undefined : colormap(name);
  return Array.from({ length: RAMP_COLORS }, (_, i) => {
    const at = Math.round((i * 255) / (RAMP_COLORS - 1));
    const color = table === undefined ? [at, at, at] : [...table.subarray(at * 4, at * 4 + 3)];
    return `#${color.map((level) => level.toString(16).padStart(2, "0")).join("")}`;
  });
}

/** Symbol of the unit of a band's values. */
function unitSymbol(collection: CollectionSchema, asset: string): string {
  const band = bandOf(collection, asset);
  if (band === undefined) return "";
  return units[band.kind === "thermal" ? "KELVIN" : band.unit].symbol;
}

function bandOf(collection: CollectionSchema, asset: string): BandSchema | undefined {
  return findBand(collection, collection.upstream.assets?.[asset] ?? asset);
}
