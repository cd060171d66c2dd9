export type { SkippedScene } from "../run/compute/compute-job.ts";
export { type CsvField, toCsvText } from "./csv.ts";
export { type FeatureResult, factsOfAll, seriesOfFeaturesCsv, statisticsOfFeaturesCsv } from "./features.ts";
export { legendOf, type PresetLegend } from "./legend.ts";
export { seriesCsv } from "./series-csv.ts";
export { skippedDetail } from "./skipped-scenes.ts";
export { statisticsCsv } from "./statistics-csv.ts";
export { type OutputRow, type StatisticsRow, statisticsRows } from "./statistics-rows.ts";
export { statisticsText } from "./statistics-text.ts";
