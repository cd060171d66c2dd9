import { draftCollection } from "@swath/archive";
import { type Cog, httpSource, openCog, type Source } from "@swath/cog";
import { fileSource, nodeCodecs, s3Source } from "@swath/cog/node";
import { validateCog } from "@swath/cog/validate";
import { gridBbox } from "@swath/raster";
import { type Context, print, save } from "../context.ts";
import type { Add } from "../options.ts";

/** `swath info FILE` and `swath validate FILE`: a path, an https address or s3://bucket/key; `swath new-collection FILE` */
export function addFiles(add: Add, context: Context): void {
  const { signal } = context;
  add(
    "info <file>",
    "say what a GeoTIFF holds: of a path, an https address or s3://bucket/key",
    [],
    async (options, file = "") => {
      const json = factsOf(await openCog(sourceOf(file), { codecs: nodeCodecs, signal }));
      const stated = Object.entries(json).filter(([, value]) => value !== undefined);
      const rows = stated.map(([name, value]) => [name, JSON.stringify(value).replaceAll('"', "")]);
      print(context, options, { json, columns: ["fact", "value"], rows });
    },
  );
  const validate = "say which rules of Cloud-Optimized GeoTIFFs a file breaks; exit code 1 where one is an error";
  add("validate <file>", validate, ["full"], async (options, file = "") => {
    const frames = options.full ? Number.POSITIVE_INFINITY : undefined;
    const findings = await validateCog(sourceOf(file), { signal, frames });
    const errors = findings.filter(({ severity }) => severity === "error").length;
    const warnings = findings.length - errors;
    const verdict = `is ${errors === 0 ? "a" : "no"} Cloud-Optimized GeoTIFF`;
    print(context, options, {
      json: { file, valid: errors === 0, findings },
      columns: ["severity", "rule", "detail", "source"],
      rows: findings.map(({ severity, rule, detail, source }) => [severity, rule, detail, source]),
      notes: [`${file} ${verdict}: ${counted(errors, "error")}, ${counted(warnings, "warning")}.`],
    });
    return errors === 0;
  });
  const draft = "write a first collection file for a GeoTIFF and others like it";
  add("new-collection <file>", draft, ["output"], async (options, file = "") => {
    const collection = await draftCollection(file, signal);
    const { id, bands, upstream } = collection;
    await save(context, options, options.output ?? "-", Buffer.from(written(collection)), {
      json: { id, bands: bands.map(({ name }) => name), files: upstream.files },
      columns: ["id", "bands", "files"],
      rows: [[id, bands.map(({ name }) => name).join(" "), upstream.files?.map(({ path }) => path).join(" ")]],
      notes: ["Write in what the file does not say: title, licence, common names and units of bands, masks."],
    });
  });
}

/** A document as text for people: lists of numbers stand in one line. */
function written(document: unknown): string {
  const text = JSON.stringify(document, null, 2);
  return `${text.replace(/\[[\s\d.,eE+-]+\]/g, (numbers) => numbers.replace(/\s+/g, " "))}\n`;
}

function sourceOf(file: string): Source {
  if (/^https?:\/\//.test(file)) return httpSource(file);
  return file.startsWith("s3://") ? s3Source(file) : fileSource(file);
}

function factsOf(cog: Cog) {
  const { grid, levels, bandCount: bands, sampleType, nodata = null, mask: valid, metadata } = cog;
  const ofBands = (fact: "scale" | "offset", plain: number): number[] | undefined => {
    const all = cog.bands.map((band) => band[fact] ?? plain);
    return all.every((value) => value === plain) ? undefined : all;
  };
  const [{ blockWidth, blockHeight, compression }] = levels as [Cog["levels"][number]];
  return {
    size: [grid.width, grid.height],
    ...{ bands, sampleType, valid, compression, metadata },
    // as STAC writes it: JSON has no such number
    nodata: Number.isNaN(nodata) ? "nan" : nodata,
    scales: ofBands("scale", 1),
    offsets: ofBands("offset", 0),
    crs: cog.georeferenced ? grid.crs.name : null,
    bbox: cog.georeferenced ? gridBbox(grid) : undefined,
    problem: cog.georeferenceProblem,
    transform: grid.transform,
    block: [blockWidth, blockHeight],
    overviews: levels.slice(1).map(({ width, height }) => [width, height]),
    colors: cog.colorInterpretation,
    names: cog.bands.map(({ name = null }) => name),
  };
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
