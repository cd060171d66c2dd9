import type { CollectionSchema } from "@swath/schema";
import type { Command } from "commander";
import type { Context, Run } from "../main.ts";
import type { CommonOptions } from "../options.ts";
import { print } from "../print.ts";
import { withEngine } from "../with-engine.ts";

/** `swath collections [ID]` */
export function addCollections(program: Command, context: Context, run: Run): void {
  program
    .command("collections")
    .description("list the collections of the catalog, or the bands of one")
    .argument("[id]", "id or alias of a collection")
    .action((id: string | undefined, _: unknown, command: Command) =>
      run(async () => {
        const options = command.optsWithGlobals<CommonOptions>();
        await withEngine(context, options, async ({ registry }) => {
          if (id === undefined) printAll(context, options, registry.listed);
          else printOne(context, options, registry.resolve(id));
        });
      }),
    );
}

function printAll({ terminal }: Context, options: CommonOptions, collections: readonly CollectionSchema[]): void {
  print(terminal, options, {
    json: () =>
      collections.map(({ id, title, aliases, platforms, start, bands, units }) => {
        return { id, title, aliases: aliases.map((alias) => alias.id), platforms, start, units, bands: bands.length };
      }),
    columns: ["id", "from", "bands", "units", "title"],
    rows: collections.map(({ id, start, bands, units, title }) => [
      id,
      start.slice(0, 10),
      bands.length,
      units.join(" "),
      title,
    ]),
  });
}

function printOne({ terminal }: Context, options: CommonOptions, collection: CollectionSchema): void {
  const { id, title, bands, units, harmonizeLevels, maskCapabilities, attribution, recipes } = collection;
  const presets = Object.keys(recipes);
  print(terminal, options, {
    json: () => ({ id, title, units, harmonizeLevels, maskCapabilities, presets, attribution, bands }),
    columns: ["band", "common name", "resolution", "unit"],
    rows: bands.map(({ name, commonName, gsd, unit }) => [name, commonName, gsd, unit]),
    notes: [
      `${id}: ${title}`,
      `units ${units.join(", ")}; harmonization ${harmonizeLevels.join(", ")}`,
      `mask classes ${maskCapabilities.join(", ")}; presets ${presets.join(", ")}`,
      attribution,
    ],
  });
}
