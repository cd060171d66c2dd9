import type { AngleGrid, Angles, NodeGrid } from "@swath/mosaic/nbar";
import { CrsError, resolveCrs } from "@swath/raster";
import { SaxesParser } from "saxes";

/** A granule metadata document that cannot be read, or that has no angles of a band. */
export class GranuleMetadataError extends Error {
  override readonly name = "GranuleMetadataError";
  readonly code: "malformed" | "no-angles";
  constructor(code: GranuleMetadataError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Directions at nodes, degrees, row by row; NaN where there is none. */
export interface Directions {
  /** From the vertical. */
  readonly zenith: Float32Array;
  /** From the ground to the sun or the sensor, clockwise from north. */
  readonly azimuth: Float32Array;
}

/** The angles of a granule of Sentinel-2. */
export interface GranuleAngles {
  readonly nodes: NodeGrid;
  readonly sun: Directions;
  /** By `bandId`: the mean of the detectors that saw a node; where none did, what the nearest seen node has. */
  readonly views: ReadonlyMap<number, Directions>;
}

/** Elements within elements; the document has 8. */
const MAX_DEPTH = 24;
/** Nodes in a row or column; the document has 23. */
const MAX_NODES = 64;
/** Grids of view angles: 13 bands by 12 detectors. */
const MAX_VIEWS = 13 * 12;
/** Digits and spaces of one row, or of one number. */
const MAX_TEXT = 4096;

/** A grid of numbers as the document has it. */
interface ValueGrid {
  columnStep: number;
  rowStep: number;
  readonly rows: number[][];
}
interface DirectionGrids {
  readonly zenith: ValueGrid;
  readonly azimuth: ValueGrid;
}

const valueGrid = (): ValueGrid => ({ columnStep: Number.NaN, rowStep: Number.NaN, rows: [] });
const directionGrids = (): DirectionGrids => ({ zenith: valueGrid(), azimuth: valueGrid() });

/** The values read from a document so far. */
interface Reading {
  crs: string;
  /** Upper left corner, metres. */
  x: number;
  y: number;
  sun: DirectionGrids | undefined;
  readonly views: { readonly bandId: number; readonly grids: DirectionGrids }[];
}

/**
 * Reads the granule metadata of a Sentinel-2 product (`MTD_TL.xml` of Level-1C or Level-2A): the grids of sun angles and
 * of view angles by band and detector, 23 by 23 nodes 5 km apart from the tile's upper left corner. The XML is read as a
 * stream: nothing is kept but numbers, no entity is expanded, document types are refused.
 *
 * @throws {GranuleMetadataError} `malformed` for text that is no such document, `no-angles` for one without sun angles.
 */
export function readGranuleMetadata(xml: string): GranuleAngles {
  const reading = parse(xml);
  if (reading.sun === undefined) throw new GranuleMetadataError("no-angles", "The document has no sun angles.");
  const { columnStep, rowStep, rows } = reading.sun.zenith;
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  const isGrid = width > 1 && height > 1 && columnStep > 0 && rowStep > 0;
  if (!isGrid || !Number.isFinite(reading.x) || !Number.isFinite(reading.y)) {
    throw new GranuleMetadataError("malformed", "The sun angles are on no grid.");
  }
  checkCrs(reading.crs);
  const size = { width, height };
  const sun = directionsOf(reading.sun, size);
  // where no detector saw a node there is one empty grid of step 0
  const seen = reading.views.filter(({ grids }) => grids.zenith.columnStep > 0);
  const bandIds = new Set(seen.map(({ bandId }) => bandId));
  const views = [...bandIds].flatMap((bandId): [number, Directions][] => {
    const detectors = seen.filter((view) => view.bandId === bandId);
    const mean = meanDirections(detectors.map(({ grids }) => directionsOf(grids, size)));
    return mean === undefined ? [] : [[bandId, extended(mean, size)]];
  });
  return {
    nodes: { crs: reading.crs, transform: [columnStep, 0, reading.x, 0, -rowStep, reading.y], ...size },
    sun,
    views: new Map(views),
  };
}

/** The angles of a band by its `bandId`; `undefined` where no detector saw the granule. */
export function anglesOfBand({ nodes, sun, views }: GranuleAngles, bandId: number): AngleGrid | undefined {
  const view = views.get(bandId);
  if (view === undefined) return undefined;
  const angles = Array.from({ length: nodes.width * nodes.height }, (_, i): Angles | undefined => {
    const each = {
      sunZenith: sun.zenith[i]!,
      sunAzimuth: sun.azimuth[i]!,
      viewZenith: view.zenith[i]!,
      viewAzimuth: view.azimuth[i]!,
    };
    return Object.values(each).some(Number.isNaN) ? undefined : each;
  });
  return { ...nodes, angles };
}

/** Bytes that the angles take in memory. */
export function sizeOfAngles({ nodes, views }: GranuleAngles): number {
  return 8 * nodes.width * nodes.height * (views.size + 1);
}

function parse(xml: string): Reading {
  const reading: Reading = { crs: "", x: Number.NaN, y: Number.NaN, sun: undefined, views: [] };
  const parser = new SaxesParser();
  const path: string[] = [];
  let grids: DirectionGrids | undefined;
  let text = "";
  parser.on("error", (error) => fail("The document is not well-formed XML.", error));
  parser.on("doctype", () => fail("Document types are not read."));
  parser.on("opentag", ({ name, attributes }) => {
    if (path.length >= MAX_DEPTH) fail(`Elements are nested more than ${MAX_DEPTH} deep.`);
    path.push(name);
    text = "";
    if (name === "Sun_Angles_Grid") {
      grids = directionGrids();
      reading.sun = grids;
    } else if (name === "Viewing_Incidence_Angles_Grids") {
      if (reading.views.length >= MAX_VIEWS) fail(`There are more than ${MAX_VIEWS} grids of view angles.`);
      grids = directionGrids();
      reading.views.push({ bandId: numberOf(attributes.bandId ?? ""), grids });
    }
  });
  parser.on("text", (part) => {
    if (!READ.has(path.at(-1) ?? "")) return;
    text += part;
    if (text.length > MAX_TEXT) fail(`${path.at(-1)} has more than ${MAX_TEXT} characters.`);
  });
  parser.on("closetag", ({ name }) => {
    path.pop();
    if (READ.has(name)) take(reading, grids, name, path, text.trim());
    text = "";
    if (name === "Sun_Angles_Grid" || name === "Viewing_Incidence_Angles_Grids") grids = undefined;
  });
  parser.write(xml).close();
  return reading;
}

/** Elements whose text is read. */
const READ: ReadonlySet<string> = new Set(["HORIZONTAL_CS_CODE", "ULX", "ULY", "COL_STEP", "ROW_STEP", "VALUES"]);

function take(
  reading: Reading,
  grids: DirectionGrids | undefined,
  name: string,
  path: readonly string[],
  text: string,
): void {
  if (name === "HORIZONTAL_CS_CODE") reading.crs = text;
  // the corner is the same for every resolution
  if (name === "ULX") reading.x = numberOf(text);
  if (name === "ULY") reading.y = numberOf(text);
  const isZenith = path.includes("Zenith");
  if (grids === undefined || isZenith === path.includes("Azimuth")) return;
  const grid = isZenith ? grids.zenith : grids.azimuth;
  if (name === "COL_STEP") grid.columnStep = numberOf(text);
  if (name === "ROW_STEP") grid.rowStep = numberOf(text);
  if (name !== "VALUES") return;
  const row = text.split(/\s+/).map((each) => (each === "NaN" ? Number.NaN : numberOf(each)));
  if (grid.rows.length >= MAX_NODES || row.length > MAX_NODES) fail(`A grid has more than ${MAX_NODES} nodes a side.`);
  grid.rows.push(row);
}

function fail(message: string, cause?: Error): never {
  throw new GranuleMetadataError("malformed", message, cause === undefined ? {} : { cause });
}

function numberOf(text: string): number {
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? number : fail("Expected a number.");
}

function checkCrs(name: string): void {
  try {
    resolveCrs(name);
  } catch (error) {
    if (error instanceof CrsError)
      throw new GranuleMetadataError("malformed", "The CRS is not known.", { cause: error });
    throw error;
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function directionsOf({ zenith, azimuth }: DirectionGrids, { width, height }: Size): Directions {
  const isSize = ({ rows }: ValueGrid) => rows.length === height && rows.every((row) => row.length === width);
  if (!isSize(zenith) || !isSize(azimuth)) fail("Grids of angles have different sizes.");
  return { zenith: Float32Array.from(zenith.rows.flat()), azimuth: Float32Array.from(azimuth.rows.flat()) };
}

const RADIANS = Math.PI / 180;

/** The mean direction at each node of those that are known there; `undefined` where none is anywhere. */
function meanDirections(all: readonly Directions[]): Directions | undefined {
  const count = all[0]?.zenith.length ?? 0;
  const mean = { zenith: new Float32Array(count), azimuth: new Float32Array(count) };
  let known = 0;
  for (let i = 0; i < count; i++) {
    let [east, north, up] = [0, 0, 0];
    for (const { zenith, azimuth } of all) {
      const [theta, phi] = [zenith[i]! * RADIANS, azimuth[i]! * RADIANS];
      if (Number.isNaN(theta) || Number.isNaN(phi)) continue;
      east += Math.sin(theta) * Math.sin(phi);
      north += Math.sin(theta) * Math.cos(phi);
      up += Math.cos(theta);
    }
    if (up > 0) known += 1;
    mean.zenith[i] = up > 0 ? Math.atan2(Math.hypot(east, north), up) / RADIANS : Number.NaN;
    mean.azimuth[i] = up > 0 ? (Math.atan2(east, north) / RADIANS + 360) % 360 : Number.NaN;
  }
  return known === 0 ? undefined : mean;
}

/** Gives nodes without a direction that of the nearest with one: pixels at the swath's edge lie between the two. */
function extended({ zenith, azimuth }: Directions, { width }: Size): Directions {
  const seen = [...zenith.keys()].filter((i) => !Number.isNaN(zenith[i]!));
  const filled = { zenith: zenith.slice(), azimuth: azimuth.slice() };
  for (const i of zenith.keys()) {
    if (!Number.isNaN(zenith[i]!)) continue;
    const distance = (j: number) =>
      ((i % width) - (j % width)) ** 2 + (Math.floor(i / width) - Math.floor(j / width)) ** 2;
    const nearest = seen.reduce((best, j) => (distance(j) < distance(best) ? j : best));
    filled.zenith[i] = zenith[nearest]!;
    filled.azimuth[i] = azimuth[nearest]!;
  }
  return filled;
}
