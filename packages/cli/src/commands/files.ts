import { type Cog, httpSource, openCog, type Source, validateCog } from "@swath/cog";
import { fileSource, nodeCodecs, s3Source } from "@swath/cog/node";
import type { Command } from "commander";
import { EXIT } from "../failure.ts";
import type { Context, Run } from "../main.ts";
import type { CommonOptions } from "../options.ts";
import { print } from "../print.ts";

const FILE = "path, https address or s3://bucket/key";

/** `swath info FILE` and `swath validate FILE` */
export function addFiles(program: Command, context: Context, run: Run): void {
  const { terminal, signal } = context;
  program
    .command("info")
    .description("say what a GeoTIFF holds")
    .argument("<file>", FILE)
    .action((file: string, _: unknown, command: Command) =>
      run(async () => {
        const facts = factsOf(await openCog(sourceOf(file), { codecs: nodeCodecs, signal }));
        const rows = Object.entries(facts).map(([name, value]) => [name, inWords(value)]);
        print(terminal, command.optsWithGlobals<CommonOptions>(), {
          json: () => facts,
          columns: ["fact", "value"],
          rows,
        });
      }),
    );
  program
    .command("validate")
    .description("say whether a file is a Cloud-Optimized GeoTIFF, and which rules it breaks; exit code 1 for errors")
    .argument("<file>", FILE)
    .option("--full", "look at the bytes around every block, not at some")
    .action((file: string, _: unknown, command: Command) =>
      run(async () => {
        const options = command.optsWithGlobals<CommonOptions & { readonly full?: true }>();
        const frames = options.full ? Number.POSITIVE_INFINITY : undefined;
        const findings = await validateCog(sourceOf(file), { signal, frames });
        const errors = findings.filter(({ severity }) => severity === "error").length;
        const verdict = errors === 0 ? "is a Cloud-Optimized GeoTIFF" : "is no Cloud-Optimized GeoTIFF";
        print(terminal, options, {
          json: () => ({ file, valid: errors === 0, findings }),
          columns: ["severity", "rule", "detail", "source"],
          rows: findings.map(({ severity, rule, detail, source }) => [severity, rule, detail, source]),
          notes: [`${file} ${verdict}: ${errors} errors, ${findings.length - errors} warnings.`],
        });
        return errors === 0 ? EXIT.done : EXIT.failed;
      }),
    );
}

function sourceOf(file: string): Source {
  if (/^https?:\/\//.test(file)) return httpSource(file);
  return file.startsWith("s3://") ? s3Source(file) : fileSource(file);
}

function factsOf(cog: Cog) {
  const { grid, levels, bandCount, sampleType, nodata, mask, bands, colorInterpretation, metadata } = cog;
  const { transform, crs } = grid;
  const [{ blockWidth, blockHeight, compression }] = levels as [Cog["levels"][number]];
  return {
    width: grid.width,
    height: grid.height,
    bands: bandCount,
    sampleType,
    crs: cog.georeferenced ? crs.name : null,
    transform: [...transform],
    nodata: nodata ?? null,
    valid: mask,
    compression,
    block: [blockWidth, blockHeight],
    overviews: levels.slice(1).map(({ width, height }) => [width, height]),
    colors: colorInterpretation,
    names: bands.map(({ name }) => name ?? null),
    metadata,
  };
}

const inWords = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((each) => (Array.isArray(each) ? each.join("x") : each)).join(" ")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
