import type { TileRequest } from "@swath/engine";
import { type ImageFormat, MEDIA_TYPES } from "@swath/engine/node/images";
import { didYouMean, withDays } from "@swath/engine/search";
import { parseDatetime } from "@swath/query";
import { TILE_MATRIX_SETS } from "@swath/raster";
import type { CollectionRegistry } from "@swath/schema";
import { ProblemError } from "../../errors/problems.ts";
import type { MemberNames } from "../../errors/refusals.ts";
import { findLayer, type LayerName, layerNames } from "../../operations/wmts-layers.ts";
import { whatOf } from "./parameters.ts";

/** Values by name in capital letters. */
export type KeyValuePairs = ReadonlyMap<string, string>;

/**
 * Key-value pairs of a request, whose names may be in any case (OGC 06-121r3 section 11.5.2). Names that the standard
 * does not define are ignored, as it asks.
 *
 * @throws {ProblemError} `invalid-parameter` for a name that is there twice, in two spellings.
 */
export function readPairs(query: Readonly<Record<string, unknown>>): KeyValuePairs {
  const pairs = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    const key = name.toUpperCase();
    if (pairs.has(key)) throw fault(key, "Sent twice, in two spellings: send it once.");
    pairs.set(key, String(value));
  }
  return pairs;
}

/**
 * Reads the operation of a request, of version 1.0.0.
 *
 * @throws {ProblemError} `invalid-parameter` naming SERVICE, REQUEST, VERSION or ACCEPTVERSIONS.
 */
export function readOperation(pairs: KeyValuePairs): "GetCapabilities" | "GetTile" {
  const service = pairs.get("SERVICE");
  if (service?.toUpperCase() !== "WMTS") throw fault("SERVICE", `Expected WMTS, got ${shown(service)}.`);
  const request = pairs.get("REQUEST");
  if (request !== "GetCapabilities" && request !== "GetTile") {
    throw fault("REQUEST", `Expected GetCapabilities or GetTile, got ${shown(request)}.`);
  }
  const isCapabilities = request === "GetCapabilities";
  const name = isCapabilities ? "ACCEPTVERSIONS" : "VERSION";
  const versions = pairs.get(name);
  if (versions !== undefined && !versions.split(",").includes("1.0.0")) {
    throw fault(name, `Expected 1.0.0, got ${shown(versions)}.`);
  }
  return request;
}

/**
 * Checks what clients append to the address of a capabilities document: nothing else can be had there.
 *
 * @throws {ProblemError} `invalid-parameter` naming REQUEST.
 */
export function checkCapabilities(pairs: KeyValuePairs): void {
  const request = pairs.get("REQUEST");
  if (request !== undefined && request !== "GetCapabilities") {
    throw fault("REQUEST", `Expected GetCapabilities, got ${shown(request)}.`);
  }
}

/**
 * The tile that a GetTile request asks for.
 *
 * @throws {ProblemError} `invalid-parameter` naming the key; {QueryError} for a bad TIME.
 */
export function readTile(pairs: KeyValuePairs, registry: CollectionRegistry): TileRequest {
  const required = (name: string): string => {
    const value = pairs.get(name);
    if (value === undefined || value === "") throw fault(name, "Expected a value, got none.");
    return value;
  };
  const whole = (name: string): number => {
    const value = required(name);
    if (!/^\d{1,9}$/.test(value)) throw fault(name, `Expected a whole number, got ${shown(value)}.`);
    return Number(value);
  };
  const identifier = required("LAYER");
  const layer = identifier === "custom" ? customLayer(pairs) : findLayer(registry, identifier);
  if (layer === undefined) {
    const hint = didYouMean(
      identifier,
      layerNames(registry).map((each) => each.identifier),
    );
    throw fault("LAYER", `No layer is called ${shown(identifier)}.${hint}`);
  }
  const style = pairs.get("STYLE") ?? "";
  if (style !== "" && style !== "default") throw fault("STYLE", `Expected default, got ${shown(style)}.`);
  const tileMatrixSet = required("TILEMATRIXSET");
  const sets: readonly string[] =
    "preset" in layer ? (layer.preset.tileMatrixSets ?? []) : Object.keys(TILE_MATRIX_SETS);
  if (!sets.includes(tileMatrixSet)) {
    throw fault("TILEMATRIXSET", `Expected ${sets.join(" or ")}, got ${shown(tileMatrixSet)}.`);
  }
  return {
    where: {
      kind: "tile",
      tileMatrixSet,
      z: whole("TILEMATRIX"),
      x: whole("TILECOL"),
      y: whole("TILEROW"),
    },
    into: { kind: "image", format: readFormat(required("FORMAT")) },
    when: {
      ...collectionOf(layer),
      time: readTime(pairs.get("TIME")),
    },
    what: "preset" in layer ? { preset: layer.preset.id } : layer.what,
  };
}

/** The layer whose bands or expression the request says itself. */
interface CustomLayer {
  readonly collection: string | undefined;
  readonly what: TileRequest["what"];
}

function customLayer(pairs: KeyValuePairs): CustomLayer {
  const values = Object.fromEntries(
    ["expression", "bands", "rescale", "colormap"].flatMap((name) => {
      const value = pairs.get(name.toUpperCase());
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
  return { collection: pairs.get("COLLECTION"), what: whatOf("custom", values) };
}

function collectionOf(layer: LayerName | CustomLayer): Pick<TileRequest["when"], "collections"> {
  if ("what" in layer) return layer.collection === undefined ? {} : { collections: [layer.collection] };
  return layer.collectionId === layer.preset.collection ? {} : { collections: [layer.collectionId] };
}

function readFormat(mediaType: string): ImageFormat {
  const known = Object.entries(MEDIA_TYPES).find(([, type]) => type === mediaType.toLowerCase());
  if (known !== undefined) return known[0] as ImageFormat;
  throw fault("FORMAT", `Expected ${Object.values(MEDIA_TYPES).join(", ")}, got ${shown(mediaType)}.`);
}

/** Without a value, and with the word "default", the layer's default (OGC 07-057r7 table 22). */
function readTime(time: string | undefined): string | undefined {
  if (time === undefined || time === "" || time === "default") return undefined;
  parseDatetime(withDays(time), { in: "query", pointer: "TIME" });
  return time;
}

/** Names of the members of the engine's request among the keys of GetTile. */
export const TILE_KEYS: MemberNames = {
  in: "query",
  names: {
    "where.z": "TILEMATRIX",
    "where.x": "TILECOL",
    "where.y": "TILEROW",
    "when.time": "TIME",
    "when.collections": "COLLECTION",
    "what.expression": "EXPRESSION",
    "what.bands": "BANDS",
    "what.style.rescale": "RESCALE",
    "what.style.colormap": "COLORMAP",
    "into.format": "FORMAT",
  },
};

function fault(pointer: string, detail: string): ProblemError {
  return new ProblemError("invalid-parameter", `${pointer}: ${detail}`, { errors: [{ pointer, detail }] });
}

function shown(value: string | undefined): string {
  return value === undefined ? "none" : `"${value.slice(0, 100)}"`;
}
