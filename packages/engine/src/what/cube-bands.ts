import type { BandInfo, CollectionInfo } from "@swath/openeo";
import { type BandSchema, type CollectionMatch, type CollectionSchema, namesOfBand } from "@swath/schema";
import { type BandProgram, NUMBERS, readProgram } from "./band-program.ts";
import { adjustmentLevel, defaultLevel, hasLevel } from "./bands/levels.ts";
import { hasUnit } from "./bands/units.ts";

/** A collection as cubes have it. */
export interface CubeCollection extends CollectionInfo {
  readonly match: CollectionMatch;
  /** The program of each band, by its name: physical values, for classes and quality bits the stored ones. */
  readonly programs: ReadonlyMap<string, BandProgram>;
}

const known = new WeakMap<CollectionSchema, CubeCollection>();

/** The bands of a collection that cubes have, with their names and what is read of them. */
export function cubeCollection(match: CollectionMatch): CubeCollection {
  const { collection } = match;
  const found = known.get(collection);
  if (found !== undefined) return { ...found, match };
  const all = collection.virtual?.bands ?? collection.bands;
  const bands = all.filter((band) => isPhysical(collection, band) || isStored(collection));
  const programs = new Map(bands.map((band) => [band.name, programOfBand(collection, band)]));
  const made: CubeCollection = { match, programs, bands: bands.map(infoOf) };
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

/** Whether a band has values in the collection's unit, at its level. */
const isPhysical = (collection: CollectionSchema, band: BandSchema): boolean =>
  hasUnit(band, collection.defaultUnits) && hasLevel(collection, band, adjustmentLevel(defaultLevel(collection)));

/** Whether bands can be given as they are stored. */
const isStored = ({ processUnits, harmonizeLevels }: CollectionSchema): boolean =>
  processUnits.includes("DN") && harmonizeLevels.includes("none");

function programOfBand(collection: CollectionSchema, band: BandSchema): BandProgram {
  const bands = [band.name];
  const what = isPhysical(collection, band) ? { bands } : { bands, units: "DN", harmonize: "none" };
  return readProgram({ collection }, what, NUMBERS);
}
