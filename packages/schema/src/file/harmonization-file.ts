import * as z from "zod";

const text = z.string().min(1);

/** One line of a table: adjusted reflectance = slope × reflectance + offset. */
export const BandAdjustment = z.strictObject({ slope: z.number().positive(), offset: z.number() });
export type BandAdjustment = z.infer<typeof BandAdjustment>;

/** Published coefficients that bring the bands of some platforms to those of the reference sensor, Landsat 8 OLI. */
export const BandpassTable = z.strictObject({
  platforms: z
    .array(text)
    .min(1)
    .optional()
    .meta({ description: "Platforms that the coefficients are for; absent: all, also where an item names none." }),
  source: text.meta({ description: "Where the coefficients are published." }),
  notes: text.optional(),
  bands: z
    .record(text, BandAdjustment)
    .meta({ description: "Native name of a band to its coefficients: slope × reflectance + offset." }),
});
export type BandpassTable = z.infer<typeof BandpassTable>;

/** Weights of a band's kernels: iso + vol × RossThick + geo × LiSparseReciprocal. */
export const KernelWeights = z.strictObject({ iso: z.number().positive(), vol: z.number(), geo: z.number() });
export type KernelWeights = z.infer<typeof KernelWeights>;

/** A circular orbit that comes back to the same paths. */
const OrbitFile = z.strictObject({
  inclination: z.number().gt(90).lt(180).meta({ description: "Degrees." }),
  altitude: z.number().positive().meta({ description: "Kilometres above the ground." }),
  orbits: z.int().positive().meta({ description: "Orbits until the first path comes again." }),
  days: z.int().positive().meta({ description: "Turns of the earth under the orbit's plane in that time." }),
  firstPath: z
    .number()
    .min(-180)
    .max(180)
    .meta({ description: "Longitude at which path 1 crosses the equator southward, degrees east." }),
});

/** The source of the angles of a scene. Code implements the kinds; the file gives their parameters. */
export const AngleSource = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("granule-metadata"),
      asset: text.meta({ description: "Name of the asset." }),
      bandIds: z
        .record(text, z.int().nonnegative())
        .meta({ description: "Native name of a band to its `bandId` in the document." }),
    })
    .meta({ description: "Grids of sun and view angles in the granule metadata of Sentinel-2 (MTD_TL.xml)." }),
  z
    .strictObject({
      kind: z.literal("computed"),
      path: text.meta({ description: "Property of items with the number of the orbit's path." }),
      orbit: OrbitFile,
    })
    .meta({ description: "The sun's position at the item's time, and the direction to the descending orbit." }),
  z
    .strictObject({ kind: z.literal("normalized") })
    .meta({ description: "None are needed: the producer gives reflectance at nadir view." }),
]);
export type AngleSource = z.infer<typeof AngleSource>;

/** The constants that bring reflectance at `bandpass_adjusted` to nadir view and one solar zenith. */
export const NadirTable = z.strictObject({
  source: text.meta({ description: "Where the weights are published." }),
  notes: text.optional(),
  angles: AngleSource,
  bands: z
    .record(text, KernelWeights)
    .optional()
    .meta({ description: "Native name of a band to the weights of its kernels; absent with normalized reflectance." }),
});
export type NadirTable = z.infer<typeof NadirTable>;
