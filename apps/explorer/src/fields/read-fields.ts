import { parseIntersects, QueryError } from "@swath/query";
import type { Point } from "../geometry/area.ts";
import { areaOf } from "../geometry/geodesic.ts";

/** Bounds of a file of fields: what a page can hold, and what can be asked one field after the other. */
export const FIELD_LIMITS = { bytes: 5_000_000, fields: 100, vertices: 20_000 } as const;

/** A geometry that has a curve or statistics. */
export type FieldGeometry =
  | { readonly type: "Point"; readonly coordinates: Point }
  | { readonly type: "Polygon"; readonly coordinates: readonly (readonly Point[])[] }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly (readonly Point[])[])[] };

export interface Field {
  /** Unique in the file: its number in order, from 1. */
  readonly id: string;
  /** The name in the file, else `Field 3`. */
  readonly name: string;
  readonly geometry: FieldGeometry;
  /** 0 for a point. */
  readonly areaKm2: number;
}

/** A feature that cannot be used. */
export interface FieldFault {
  readonly name: string;
  readonly reason: string;
}

export interface FieldsFile {
  readonly fields: readonly Field[];
  readonly faults: readonly FieldFault[];
}

/** A file of which nothing can be used. The message says what was expected and what came. */
export class FieldsError extends Error {
  override readonly name = "FieldsError";
  readonly code: "too-large" | "not-json" | "not-geojson" | "other-crs" | "too-many" | "empty";

  constructor(code: FieldsError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Members by which files name their features, first the commonest. */
const NAME_MEMBERS = ["name", "title", "label", "field", "field_name", "id", "fid"];
const LONGEST_NAME = 60;

/**
 * Reads a file of fields: a GeoJSON FeatureCollection, Feature or geometry (RFC 7946) of points and polygons in degrees. Features
 * that the service would refuse are listed with the reason; the others can be used.
 *
 * @throws {FieldsError} where nothing of the file can be used.
 */
export function readFields(text: string): FieldsFile {
  if (text.length > FIELD_LIMITS.bytes) throw tooLarge(text.length);
  const document = parseJson(text);
  checkCrs(document);
  const features = featuresOf(document);
  if (features.length === 0) throw new FieldsError("empty", "The file has no features.");
  if (features.length > FIELD_LIMITS.fields) {
    throw new FieldsError(
      "too-many",
      `The file has ${features.length.toLocaleString("en")} features; at most ${FIELD_LIMITS.fields} can be compared here.`,
    );
  }
  return usableOf(features);
}

/** @param bytes size of the file that came */
export function tooLarge(bytes: number): FieldsError {
  const megabytes = (size: number): string => (size / 1e6).toLocaleString("en", { maximumFractionDigits: 1 });
  return new FieldsError(
    "too-large",
    `The file has ${megabytes(bytes)} MB; at most ${megabytes(FIELD_LIMITS.bytes)} MB are read.`,
  );
}

function parseJson(text: string): unknown {
  const start = text.trimStart();
  if (start.startsWith("PK")) {
    throw new FieldsError(
      "not-json",
      "This is a zipped file. Expected GeoJSON: unpack it, and export its layer as GeoJSON.",
    );
  }
  if (start.startsWith("<")) {
    throw new FieldsError(
      "not-json",
      "This is XML, perhaps KML or GML. Expected GeoJSON: export the layer as GeoJSON.",
    );
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FieldsError("not-json", `The file is no JSON: ${reason}`, { cause });
  }
}

/** The member `crs` of GeoJSON before RFC 7946: only names of longitude and latitude are those of today's. */
function checkCrs(document: unknown): void {
  const crs = isObject(document) ? document.crs : undefined;
  const name = isObject(crs) && isObject(crs.properties) ? crs.properties.name : undefined;
  if (typeof name !== "string" || /CRS:?:?84|EPSG:(:|[\d.]+:)?4326$/i.test(name)) return;
  throw new FieldsError(
    "other-crs",
    `The file's coordinates are in ${name.slice(0, LONGEST_NAME)}. Expected degrees: export it in WGS 84 (EPSG:4326).`,
  );
}

function featuresOf(document: unknown): readonly Members[] {
  if (!isObject(document)) throw notGeojson(Array.isArray(document) ? "a list" : typeof document);
  const { type } = document;
  if (type === "FeatureCollection") {
    const { features } = document;
    if (!Array.isArray(features)) throw notGeojson("a FeatureCollection without a list of features");
    return features.map((feature: unknown) => (isObject(feature) ? feature : {}));
  }
  if (type === "Feature") return [document];
  if (type === "Topology") throw notGeojson("TopoJSON");
  if ("coordinates" in document || type === "GeometryCollection") return [{ type: "Feature", geometry: document }];
  throw notGeojson(
    type === undefined ? "an object without a type" : `the type ${JSON.stringify(type).slice(0, LONGEST_NAME)}`,
  );
}

const notGeojson = (came: string): FieldsError =>
  new FieldsError("not-geojson", `Expected GeoJSON: a FeatureCollection, Feature or geometry. The file is ${came}.`);

function nameOf({ id, properties }: Members, number: number): string {
  const members = isObject(properties) ? Object.entries(properties) : [];
  const named = NAME_MEMBERS.flatMap((wanted) =>
    members.filter(([name, value]) => name.toLowerCase() === wanted && value !== null && typeof value !== "object"),
  );
  const text = String(named[0]?.[1] ?? id ?? "").trim();
  return text === "" || text === "undefined" ? `Field ${number}` : text.slice(0, LONGEST_NAME);
}

function usableOf(features: readonly Members[]): FieldsFile {
  const fields: Field[] = [];
  const faults: FieldFault[] = [];
  let vertices = 0;
  for (const [i, feature] of features.entries()) {
    const name = nameOf(feature, i + 1);
    const geometry = usableGeometry(feature.geometry);
    if (typeof geometry === "string") {
      faults.push({ name, reason: geometry });
      continue;
    }
    vertices += verticesOf(geometry);
    if (vertices > FIELD_LIMITS.vertices) {
      throw new FieldsError(
        "too-many",
        `The fields have more than ${FIELD_LIMITS.vertices.toLocaleString("en")} vertices: simplify them first.`,
      );
    }
    fields.push({ id: String(i + 1), name, geometry, areaKm2: areaKm2(geometry) });
  }
  return { fields, faults };
}

/** The geometry, as the service would take it, or why it would not. */
function usableGeometry(geometry: unknown): FieldGeometry | string {
  if (geometry === null || geometry === undefined) return "It has no geometry.";
  const type = isObject(geometry) ? geometry.type : undefined;
  if (typeof type === "string" && /^(Multi)?LineString$|^MultiPoint$|^GeometryCollection$/.test(type)) {
    return `Expected a Point, Polygon or MultiPolygon, got a ${type}.`;
  }
  try {
    return parseIntersects(geometry, { in: "body", pointer: "" }) as FieldGeometry;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return inMetres(geometry)
      ? "Its coordinates are no degrees: export the file in WGS 84 (EPSG:4326)."
      : error.message;
  }
}

/** Whether the first position of a geometry is out of the range of degrees by far, as metres of a projection are. */
function inMetres(geometry: unknown): boolean {
  let value: unknown = isObject(geometry) ? geometry.coordinates : undefined;
  while (Array.isArray(value) && Array.isArray(value[0])) value = value[0];
  return Array.isArray(value) && value.some((number) => typeof number === "number" && Math.abs(number) > 360);
}

function polygonsOf(geometry: FieldGeometry): readonly (readonly (readonly Point[])[])[] {
  if (geometry.type === "Point") return [];
  return geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
}

const verticesOf = (geometry: FieldGeometry): number =>
  polygonsOf(geometry)
    .flat()
    .reduce((sum, ring) => sum + ring.length, 0);

const areaKm2 = (geometry: FieldGeometry): number =>
  polygonsOf(geometry).reduce((sum, rings) => sum + areaOf(rings), 0);
