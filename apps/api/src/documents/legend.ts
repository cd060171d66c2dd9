import { z } from "@hono/zod-openapi";
import type { ColorRamp, Legend } from "@swath/chart";
import type { PresetRecipe } from "@swath/engine/node/images";
import { Link } from "@swath/stac";
import { JSON_TYPE } from "./media-types.ts";

const CHANNELS = ["red", "green", "blue"] as const;

export const LegendDocument = z
  .object({
    preset: z.string(),
    collection: z.string(),
    title: z.string(),
    kind: z.enum(["ramp", "channels"]).openapi({ description: "Colors of one value, or bands shown as colors." }),
    unit: z.string().optional().openapi({ description: "Symbol of the values' unit; absent: plain numbers." }),
    range: z.array(z.number()).length(2).optional().openapi({ description: "Values of the first and last color." }),
    colormap: z.string().optional(),
    stops: z
      .array(z.object({ value: z.number(), color: z.string() }))
      .optional()
      .openapi({ description: "Colors at equal steps, lowest value first; between two they are mixed." }),
    ticks: z.array(z.number()).optional().openapi({ description: "Round values to write beside the colors." }),
    channels: z
      .array(z.object({ color: z.string(), shows: z.string() }))
      .optional()
      .openapi({ description: "What each color of the image shows." }),
    links: z.array(Link),
  })
  .meta({ id: "Legend", description: "What the colors of a preset mean." });

/** A legend as a document. */
export async function legendDocument(
  legend: Legend,
  { preset, collection, recipe }: PresetRecipe,
  href: string,
): Promise<z.infer<typeof LegendDocument>> {
  const links = [
    { rel: "self", type: JSON_TYPE, href, title: `Legend of ${preset.title}` },
    { rel: "alternate", type: "image/png", href: href.replace("legend.json", "legend.png"), title: "The same, drawn" },
  ];
  const named = { preset: preset.id, collection: collection.id, title: legend.title, kind: legend.kind };
  if (legend.kind === "channels") {
    const isGrey = legend.channels.length === 1;
    const channels = legend.channels.map(({ name }, i) => ({
      color: isGrey ? "grey" : (CHANNELS[i] ?? ""),
      shows: name,
    }));
    return { ...named, channels, links };
  }
  const { range, colors, unit } = legend;
  const { rampTicks } = await import("@swath/chart");
  return {
    ...named,
    ...(unit === undefined ? {} : { unit }),
    range: [...range],
    ...(recipe.colormap === undefined ? {} : { colormap: recipe.colormap }),
    stops: colors.map((color, i) => ({ value: valueAt(range, i / (colors.length - 1)), color })),
    ticks: rampTicks(range).map(({ value }) => value),
    links,
  };
}

const valueAt = ([low, high]: ColorRamp["range"], share: number): number =>
  Number((low + (high - low) * share).toPrecision(12));
