import { type Cog, httpSource, openCog, type Source, validateCog } from "@swath/cog";
import { fileSource, nodeCodecs, s3Source } from "@swath/cog/node";
import type { Command } from "commander";
import { type Context, print } from "../context.ts";
import type { On } from "../main.ts";
import type { Options } from "../options.ts";

const FILE = "path, https address or s3://bucket/key";

/** `swath info FILE` and `swath validate FILE` */
export function addFiles(program: Command, context: Context, on: On): void {
  const { signal } = context;
  const info = program.command("info").description("say what a GeoTIFF holds").argument("<file>", FILE);
  on(info, async (options, file = "") => {
    const json = factsOf(await openCog(sourceOf(file), { codecs: nodeCodecs, signal }));
    const rows = Object.entries(json).map(([name, value]) => [name, JSON.stringify(value).replaceAll('"', "")]);
    print(context, options, { json, columns: ["fact", "value"], rows });
  });
  const validate = program
    .command("validate")
    .description("say which rules of Cloud-Optimized GeoTIFFs a file breaks; exit code 1 where one is an error")
    .argument("<file>", FILE)
    .option("--full", "look at the bytes around every block, not at some");
  on(validate, async (options: Options & { readonly full?: true }, file = "") => {
    const findings = await validateCog(sourceOf(file), { signal, ...(options.full ? { frames: Infinity } : {}) });
    const errors = findings.filter(({ severity }) => severity === "error").length;
    const verdict = `is ${errors === 0 ? "a" : "no"} Cloud-Optimized GeoTIFF`;
    print(context, options, {
      json: { file, valid: errors === 0, findings },
      columns: ["severity", "rule", "detail", "source"],
      rows: findings.map(({ severity, rule, detail, source }) => [severity, rule, detail, source]),
      notes: [`${file} ${verdict}: ${errors} errors, ${findings.length - errors} warnings.`],
    });
    return errors === 0;
  });
}

function sourceOf(file: string): Source {
  if (/^https?:\/\//.test(file)) return httpSource(file);
  return file.startsWith("s3://") ? s3Source(file) : fileSource(file);
}

function factsOf(cog: Cog) {
  const { grid, levels, bandCount: bands, sampleType, nodata = null, mask: valid, metadata } = cog;
  const [{ blockWidth, blockHeight, compression }] = levels as [Cog["levels"][number]];
  return {
    size: [grid.width, grid.height],
    bands,
    sampleType,
    crs: cog.georeferenced ? grid.crs.name : null,
    transform: grid.transform,
    nodata,
    valid,
    compression,
    block: [blockWidth, blockHeight],
    overviews: levels.slice(1).map(({ width, height }) => [width, height]),
    colors: cog.colorInterpretation,
    names: cog.bands.map(({ name = null }) => name),
    metadata,
  };
}
