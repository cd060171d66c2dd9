/** The requirement of a rule, its severity, and its source. */
export interface CogRule {
  /** `error`: clients read the file in another way than a COG, or GDAL's validator refuses it. */
  readonly severity: "error" | "warning";
  readonly title: string;
  readonly source: string;
}

/** A rule that a file breaks. */
export interface CogFinding extends CogRule {
  readonly rule: CogRuleId;
  /** The fact that was found, and the expectation. */
  readonly detail: string;
}

const GDAL = "GDAL, osgeo_utils/samples/validate_cloud_optimized_geotiff.py";
const GHOST_AREA = "https://gdal.org/drivers/raster/cog.html#header-ghost-area";
const OGC = "OGC 21-026 (Cloud Optimized GeoTIFF 1.0)";

const error = (title: string, source: string): CogRule => ({ severity: "error", title, source });
const warning = (title: string, source: string): CogRule => ({ severity: "warning", title, source });

/**
 * The rules of Cloud-Optimized GeoTIFFs. Errors are those of GDAL's validator, and blocks that a file which was cut off
 * does not have; further requirements of the OGC standard are warnings, as GDAL's recommendations are.
 */
export const COG_RULES = {
  tiles: error("wide images are tiled", `${GDAL}; ${OGC}, /req/geotiff-format/tiling`),
  "overview-order": error("overviews become smaller", `${GDAL}; ${OGC}, overviews C and E`),
  "first-directory": error("the first directory follows the head of the file", GDAL),
  "directory-order": error("directories follow each other from the largest image to the smallest", GDAL),
  "data-after-directories": error("blocks lie behind the directories", GDAL),
  "data-order": error("blocks of smaller images lie before those of larger ones", GDAL),
  "blocks-in-file": error("every block lies within the file", "TIFF 6.0, StripOffsets and TileOffsets"),
  edited: error("the file was not changed after it was made", GHOST_AREA),
  "block-order": error("blocks lie row by row, where the file says so", GHOST_AREA),
  "block-leader": error("the size of each block stands before it, where the file says so", GHOST_AREA),
  "block-trailer": error("the last bytes of each block are repeated after it, where the file says so", GHOST_AREA),
  "mask-interleaved": error("blocks of the mask follow those of the image, where the file says so", GHOST_AREA),
  overviews: warning("large images have overviews", GDAL),
  "no-strips": warning("every image is tiled", `${OGC}, /req/geotiff-format/tiling`),
  "tile-size": warning("tiles are squares that fit on a screen", `${OGC}, /req/optimized_geotiff/small-sizes`),
  "overview-factor": warning("each overview is 2 to 10 times smaller", `${OGC}, /req/optimized_geotiff/number A`),
  "smallest-overview": warning(
    "the smallest overview is one tile high or wide",
    `${OGC}, /req/optimized_geotiff/number B`,
  ),
  "mask-overviews": warning(
    "where the image has a mask its overviews have one",
    `${OGC}, /rec/rec-class-geotiff/ifd-order`,
  ),
  compression: warning("tiles are compressed", `${OGC}, /rec/rec-class-geotiff/rec-compression`),
  georeference: warning("the file says where its pixels lie", `${OGC}, /req/geotiff-keys/georeference`),
  nodata: warning("the file says which pixels hold no data", "https://gdal.org/user/raster_data_model.html"),
} as const satisfies Readonly<Record<string, CogRule>>;

/** Name of a rule. */
export type CogRuleId = keyof typeof COG_RULES;
