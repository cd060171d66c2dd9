import { isLoaded } from "../cube/load.ts";
import { OpenEoError } from "../errors.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import type { Compilation } from "../interpreter/compilation.ts";
import type { Value } from "../interpreter/values.ts";
import { isObject } from "../json.ts";

/** Formats of results, by what clients may call them. */
const FORMATS = {
  GTIFF: "GTiff",
  GEOTIFF: "GTiff",
  PNG: "PNG",
  JPEG: "JPEG",
  JPG: "JPEG",
  JSON: "JSON",
  CSV: "CSV",
} as const;
export type ResultFormat = (typeof FORMATS)[keyof typeof FORMATS];

export function saveResult(given: Arguments, compilation: Compilation): Value {
  const asked = given.text("format");
  const name = asked.toUpperCase();
  if (!Object.hasOwn(FORMATS, name)) {
    throw new OpenEoError("FormatUnsupported", `Expected GTiff, PNG, JPEG, JSON or CSV, got "${asked}".`, {
      path: given.invalid("format", "").path,
    });
  }
  const format = FORMATS[name as keyof typeof FORMATS];
  const options = given.has("options") ? given.json("options") : {};
  // an empty object is an empty array in some languages
  const members = Array.isArray(options) && options.length === 0 ? {} : options;
  if (!isObject(members)) throw given.invalid("options", "an object");
  const [option] = Object.keys(members);
  if (option !== undefined) {
    throw new OpenEoError("FormatArgumentUnsupported", `${format} takes no option "${option}".`, {
      path: given.invalid("options", "").path,
    });
  }
  const data = given.value("data");
  if (data === null || typeof data !== "object" || !["cube", "load"].includes(data.kind)) {
    throw given.invalid("data", "a data cube");
  }
  return { kind: "saved", data: isLoaded(data) ? compilation.cube(data) : data, format, options: members };
}
