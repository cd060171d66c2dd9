export { type ColorChannels, type ColorRamp, LEGEND_SIZE, type Legend, legendChart, rampTicks } from "./legend.ts";
export type { ChartLine, ChartSpan } from "./lines.ts";
export { type ChartOptions, type ChartPoint, dayLabel, seriesChart } from "./series-chart.ts";
