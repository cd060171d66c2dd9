import type { BandInfo, CollectionInfo } from "@swath/openeo";
import { ProblemError } from "@swath/problem";
import { type BandSchema, type CollectionMatch, type CollectionSchema, namesOfBand } from "@swath/schema";
import { type Measure, measureOf } from "./measure.ts";

/** A collection as cubes have it. */
export interface CubeCollection extends CollectionInfo {
  readonly match: CollectionMatch;
  /** How each band is read: physical values, of classes and quality bits the stored ones; by its name. */
  readonly measures: ReadonlyMap<string, Measure>;
}

const known = new WeakMap<CollectionSchema, CubeCollection>();

/** The bands of a collection that cubes have, with their names and what is read of them. */
export function cubeCollection(match: CollectionMatch): CubeCollection {
  const { collection } = match;
  const found = known.get(collection);
  if (found !== undefined) return { ...found, match };
  const measures = new Map(
    (collection.virtual?.bands ?? collection.bands).flatMap(({ name }) => {
      const measure = measureOfBand({ collection }, name);
      return measure === undefined ? [] : [[name, measure] as const];
    }),
  );
  const bands = (collection.virtual?.bands ?? collection.bands).filter(({ name }) => measures.has(name));
  const made: CubeCollection = { match, measures, bands: bands.map(infoOf) };
  known.set(collection, made);
  return made;
}

function infoOf(band: BandSchema): BandInfo {
  const { name, commonName, gsd, centerWavelength: wavelength } = band;
  return {
    name,
    gsd,
    aliases: namesOfBand(band),
    ...(commonName === undefined ? {} : { commonName }),
    ...(typeof wavelength === "number" ? { wavelength } : {}),
  };
}

/** Physical values where the band has some, else stored ones. */
function measureOfBand(match: CollectionMatch, name: string): Measure | undefined {
  return tried(match, { bands: [name] }) ?? tried(match, { bands: [name], units: "DN", harmonize: "none" });
}

function tried(match: CollectionMatch, request: Parameters<typeof measureOf>[1]): Measure | undefined {
  try {
    return measureOf(match, request, "");
  } catch (error) {
    if (error instanceof ProblemError) return undefined;
    throw error;
  }
}
