import * as z from "zod";
import { MaskClass } from "../vocabulary.ts";

/** Cloud-mask settings of presets, statistics and time series. */
export const CloudMask = z
  .strictObject({
    exclude: z
      .array(MaskClass)
      .refine((classes) => new Set(classes).size === classes.length, "Each class at most once.")
      .optional()
      .meta({ description: "Classes to drop.", uniqueItems: true }),
    scl7: z
      .enum(["unclassified", "cloud", "clear"])
      .optional()
      .meta({ description: "What Sentinel-2 SCL class 7 counts as; default unclassified." }),
    dilate_m: z
      .int()
      .min(0)
      .max(600)
      .optional()
      .meta({ description: "Buffer in metres around cloud and cloud_shadow on sources without one." }),
    cloudConfidence: z
      .enum(["low", "medium", "high"])
      .optional()
      .meta({ description: "Minimum Landsat QA_PIXEL cloud confidence counted as cloud; default medium." }),
  })
  .meta({ id: "CloudMask", description: "Cloud-mask settings." });
export type CloudMask = z.infer<typeof CloudMask>;
