import type { RecordedItem } from "../recordings.ts";

/**
 * The MTL document of a scene in JSON, as far as it tells how stored values become reflectance (USGS LSDS-1822, section 5).
 * The factors are made: nobody recorded these documents.
 */
export function mtlDocument({ properties }: RecordedItem): Uint8Array {
  const bands = Array.from({ length: 7 }, (_, i) => i + 1);
  const rescaling = bands.flatMap((band) => [
    [`REFLECTANCE_MULT_BAND_${band}`, "2.0000E-03"],
    [`REFLECTANCE_ADD_BAND_${band}`, "-0.004000"],
  ]);
  const document = {
    LANDSAT_METADATA_FILE: {
      IMAGE_ATTRIBUTES: { SUN_ELEVATION: String(properties["view:sun_elevation"] ?? 45) },
      LEVEL1_RADIOMETRIC_RESCALING: Object.fromEntries(rescaling),
    },
  };
  return Buffer.from(JSON.stringify(document));
}
