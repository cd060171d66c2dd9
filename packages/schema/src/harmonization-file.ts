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
