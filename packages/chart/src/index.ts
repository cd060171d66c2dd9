export { type ColorChannels, type ColorRamp, LEGEND_SIZE, type Legend, legendChart, rampTicks } from "./legend.ts";
export type { ChartLine, ChartSpan } from "./lines.ts";
export { CHART_SIZE, type ChartOptions, type ChartPoint, dayLabel, seriesChart } from "./series-chart.ts";
export { type TextStyle, textOutline, textWidth } from "./text.ts";
