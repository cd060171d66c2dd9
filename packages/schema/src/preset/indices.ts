import { SchemaError } from "../errors.ts";
import { suggest } from "../suggest.ts";

/** A spectral index: band math on reflectance by common names. */
export interface IndexSchema {
  readonly id: string;
  readonly title: string;
  readonly aliases: readonly string[];
  /** Common names that the expression reads, in order of appearance. */
  readonly bands: readonly string[];
  /** Arithmetic on reflectance (not on digital numbers). */
  readonly expression: string;
  /** Range of usual values, for display. */
  readonly range: readonly [number, number];
  /** The publication of the formula. */
  readonly source: string;
}

/** Indices by common names. `nir` is the broad near infrared; `nir08` the narrow one that fits short-wave bands. */
export const indices = [
  {
    id: "ndvi",
    title: "Normalized difference vegetation index",
    aliases: [],
    bands: ["nir", "red"],
    expression: "(nir - red) / (nir + red)",
    range: [-0.2, 0.8],
    source: "Rouse et al. 1974, NASA SP-351",
  },
  {
    id: "evi",
    title: "Enhanced vegetation index",
    aliases: [],
    bands: ["nir", "red", "blue"],
    expression: "2.5 * (nir - red) / (nir + 6 * red - 7.5 * blue + 1)",
    range: [-0.2, 0.8],
    source: "Huete et al. 2002, doi:10.1016/S0034-4257(02)00096-2",
  },
  {
    id: "evi2",
    title: "Enhanced vegetation index without blue",
    aliases: [],
    bands: ["nir", "red"],
    expression: "2.5 * (nir - red) / (nir + 2.4 * red + 1)",
    range: [-0.2, 0.8],
    source: "Jiang et al. 2008, doi:10.1016/j.rse.2008.06.006",
  },
  {
    id: "savi",
    title: "Soil-adjusted vegetation index",
    aliases: [],
    bands: ["nir", "red"],
    expression: "1.5 * (nir - red) / (nir + red + 0.5)",
    range: [-0.2, 0.8],
    source: "Huete 1988, doi:10.1016/0034-4257(88)90106-X",
  },
  {
    id: "gndvi",
    title: "Green normalized difference vegetation index",
    aliases: [],
    bands: ["nir", "green"],
    expression: "(nir - green) / (nir + green)",
    range: [-0.2, 0.8],
    source: "Gitelson et al. 1996, doi:10.1016/S0034-4257(96)00072-7",
  },
  {
    id: "ndre",
    title: "Normalized difference red edge index",
    aliases: [],
    bands: ["nir08", "rededge071"],
    expression: "(nir08 - rededge071) / (nir08 + rededge071)",
    range: [-0.2, 0.8],
    source: "Gitelson and Merzlyak 1994, doi:10.1016/S0176-1617(11)81633-0",
  },
  {
    id: "ndwi",
    title: "Normalized difference water index",
    aliases: [],
    bands: ["green", "nir"],
    expression: "(green - nir) / (green + nir)",
    range: [-0.8, 0.8],
    source: "McFeeters 1996, doi:10.1080/01431169608948714",
  },
  {
    id: "mndwi",
    title: "Modified normalized difference water index",
    aliases: [],
    bands: ["green", "swir16"],
    expression: "(green - swir16) / (green + swir16)",
    range: [-0.8, 0.8],
    source: "Xu 2006, doi:10.1080/01431160600589179",
  },
  {
    id: "moisture",
    title: "Normalized difference moisture index",
    aliases: ["ndmi"],
    bands: ["nir08", "swir16"],
    expression: "(nir08 - swir16) / (nir08 + swir16)",
    range: [-0.8, 0.8],
    source: "Gao 1996, doi:10.1016/S0034-4257(96)00067-3",
  },
  {
    id: "nbr",
    title: "Normalized burn ratio",
    aliases: [],
    bands: ["nir08", "swir22"],
    expression: "(nir08 - swir22) / (nir08 + swir22)",
    range: [-0.5, 0.9],
    source: "Key and Benson 2006, USDA RMRS-GTR-164",
  },
  {
    id: "ndsi",
    title: "Normalized difference snow index",
    aliases: [],
    bands: ["green", "swir16"],
    expression: "(green - swir16) / (green + swir16)",
    range: [-0.5, 1],
    source: "Hall et al. 1995, doi:10.1016/0034-4257(95)00137-P",
  },
  {
    id: "ndbi",
    title: "Normalized difference built-up index",
    aliases: [],
    bands: ["swir16", "nir08"],
    expression: "(swir16 - nir08) / (swir16 + nir08)",
    range: [-0.6, 0.6],
    source: "Zha et al. 2003, doi:10.1080/01431160304987",
  },
] as const satisfies readonly IndexSchema[];

/**
 * The index with this id or alias.
 *
 * @throws {SchemaError} `unknown-index`.
 */
export function resolveIndex(id: string): IndexSchema {
  const all: readonly IndexSchema[] = indices;
  const index = all.find((entry) => entry.id === id || entry.aliases.includes(id));
  if (index !== undefined) return index;
  const names = all.flatMap((entry) => [entry.id, ...entry.aliases]);
  throw new SchemaError("unknown-index", id, `No index is called "${id}".`, suggest(id, names));
}
