import type { ProcessFunction } from "../interpreter/compilation.ts";
import { apply, applyDimension, ndvi, reduceDimension } from "./apply.ts";
import { ARRAYS } from "./arrays.ts";
import { filterBands, filterBbox, filterSpatial, filterTemporal } from "./filters.ts";
import { addDimension, dimensionLabels, dropDimension, renameLabels } from "./labels.ts";
import { loadCollection } from "./load.ts";
import { MATH } from "./math.ts";
import { mergeCubes } from "./merge.ts";
import { saveResult } from "./save.ts";
import { aggregateSpatial } from "./space/aggregate-space.ts";
import { mask, maskPolygon } from "./space/masks.ts";
import { resampleSpatial } from "./space/resample.ts";
import { aggregateTemporal, aggregateTemporalPeriod } from "./time/aggregate-time.ts";

/** The function of each process, by the process's id. */
export const PROCESS_FUNCTIONS: ReadonlyMap<string, ProcessFunction> = new Map([
  ["load_collection", loadCollection],
  ["filter_bbox", filterBbox],
  ["filter_temporal", filterTemporal],
  ["filter_bands", filterBands],
  ["filter_spatial", filterSpatial],
  ["mask", mask],
  ["mask_polygon", maskPolygon],
  ["ndvi", ndvi],
  ["apply", apply],
  ["apply_dimension", applyDimension],
  ["reduce_dimension", reduceDimension],
  ["aggregate_temporal", aggregateTemporal],
  ["aggregate_temporal_period", aggregateTemporalPeriod],
  ["aggregate_spatial", aggregateSpatial],
  ["merge_cubes", mergeCubes],
  ["resample_spatial", resampleSpatial],
  ["rename_labels", renameLabels],
  ["add_dimension", addDimension],
  ["drop_dimension", dropDimension],
  ["dimension_labels", dimensionLabels],
  ["save_result", saveResult],
  ...ARRAYS,
  ...MATH,
]);
