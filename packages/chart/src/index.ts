export { type ColorChannels, type ColorRamp, type Legend, legendChart, rampTicks } from "./legend.ts";
export { LEGEND_SIZE } from "./legend-size.ts";
export type { ChartLine, ChartSpan } from "./lines.ts";
export { type ChartOptions, type ChartPoint, dayLabel, seriesChart } from "./series-chart.ts";
