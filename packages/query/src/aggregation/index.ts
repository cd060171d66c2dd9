export {
  AGGREGATION_NAMES,
  AGGREGATIONS,
  type AggregationName,
  COUNT_INTERVALS,
  COUNT_PARAMETERS,
  type CountInterval,
  type CountRequest,
  parseCounts,
} from "./aggregation.ts";
