import type { BandInfo } from "../cube/cube.ts";
import type { LoadRequest, PropertyFilter } from "../cube/load.ts";
import { OpenEoError } from "../errors.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import { closest } from "../interpreter/closest.ts";
import type { CollectionInfo, Compilation } from "../interpreter/compilation.ts";
import type { Value } from "../interpreter/values.ts";
import { Work } from "../work.ts";
import { extentOf } from "./space/geometries.ts";
import { intervalOf } from "./time/times.ts";

/** A collection: nothing is loaded before its cube is used, so that filters narrow what is. */
export function loadCollection(given: Arguments, compilation: Compilation): Value {
  const id = given.text("id");
  const { context } = compilation;
  const collection = context.collection(id);
  if (collection === undefined) {
    const message = `There is no collection "${id}" here.${closest(id, context.collections)}`;
    throw new OpenEoError("CollectionNotFound", message, { path: given.invalid("id", "").path });
  }
  const extent = extentOf(given, "spatial_extent", compilation);
  const time = given.has("temporal_extent")
    ? intervalOf(given, "temporal_extent", given.json("temporal_extent"))
    : OPEN;
  const request: LoadRequest = {
    collection: id,
    bands: bandsOf(given, collection, id),
    time,
    extents: extent === undefined ? [] : [extent],
    properties: propertiesOf(given, compilation),
    path: given.path,
  };
  return { kind: "load", request };
}

const OPEN = [null, null] as const;

function bandsOf(given: Arguments, { bands }: CollectionInfo, id: string): readonly BandInfo[] {
  if (!given.has("bands")) return bands;
  const names = given.labels("bands").map(String);
  if (names.length === 0) throw given.invalid("bands", "at least one band");
  return findBands(bands, names, (name) => {
    const known = bands.flatMap((band) => [band.name, band.commonName ?? band.name]);
    const { code, path } = given.invalid("bands", "");
    return new OpenEoError(code, `${id} has no band "${name}".${closest(name, known)}`, { path });
  });
}

/** Bands by name, common name or alias, each once, in the order of the names. */
export function findBands(
  bands: readonly BandInfo[],
  names: readonly string[],
  missing: (name: string) => OpenEoError,
): readonly BandInfo[] {
  const found = names.flatMap((name) => {
    const exact = bands.filter((band) => band.name === name);
    if (exact.length > 0) return exact;
    const common = bands.filter((band) => band.commonName === name);
    if (common.length > 0) return common;
    const aliased = bands.find((band) => band.aliases?.includes(name) === true);
    if (aliased === undefined) throw missing(name);
    return [aliased];
  });
  return [...new Set(found)];
}

/** Each property's process graph becomes a test of a value: `value` is its parameter. */
function propertiesOf(given: Arguments, compilation: Compilation): ReadonlyMap<string, PropertyFilter> {
  const asked = given.value("properties");
  if (asked === null) return new Map();
  if (typeof asked !== "object" || asked.kind !== "object")
    throw given.invalid("properties", "an object of process graphs");
  return new Map(
    [...asked.members].map(([name, filter]): [string, PropertyFilter] => {
      if (filter === null || typeof filter !== "object" || filter.kind !== "callback") {
        throw given.invalid("properties", `a process graph for ${name}`, filter);
      }
      const passes = (answer: Value): boolean => {
        if (typeof answer === "boolean" || answer === null) return answer === true;
        throw given.invalid("properties", "process graphs that give true or false", answer);
      };
      // a test that no value can pass is found before any scene is searched
      passes(compilation.call(filter, { value: null }));
      const work = new Work();
      return [name, (value) => passes(compilation.callLater(filter, { value }, work))];
    }),
  );
}
