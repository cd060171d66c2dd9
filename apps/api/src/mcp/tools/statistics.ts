import type { z } from "@hono/zod-openapi";
import { prepare, type Statistics } from "@swath/engine/node";
import { statisticsRows, statisticsText } from "@swath/engine/results";
import { STATISTICS_MEMBERS, StatisticsOfArea, statisticsRequest } from "../../bodies/statistics.ts";
import { StatisticsDocument, statisticsDocument } from "../../documents/analysis/statistics.ts";
import { coverageOf } from "../coverage.ts";
import { rowsText } from "../text.ts";
import { defineTool } from "../tool.ts";

const DESCRIPTION = `Statistics of an area over time: minimum, maximum, mean, standard deviation, percentiles and histogram of bands, an index or an expression, one row an interval. Clouds and their shadows are masked first. Use it for areas; for a point or a polygon up to 25 km² and one value for each overpass use \`timeseries\`.
- input.bounds: bbox [west, south, east, north] in degrees or geometry (GeoJSON Polygon, MultiPolygon, degrees).
- input.data: [{"type": "sentinel-2-l2a"}], one collection.
- aggregation.timeRange: {"from": "2024-01-01", "to": "2024-12-31"}; aggregation.aggregationInterval.of: ISO 8601 duration such as "P1M"; default the whole range.
- aggregation.width and height in pixels: the grid; at most 2,500 a side and 400 intervals. Default the native resolution, 10 to 30 m a pixel: give width and height (such as 256) for areas of more than some kilometres.
- one of bands (["red", "nir08"]), index ("ndvi"), expression ("(nir08 - red) / (nir08 + red)").
- calculations: {"default": {"percentiles": [5, 50, 95], "histogram": {"nBins": 10}}}.
Values are reflectance (0 to 1), kelvin of thermal bands, or the index; empty: no pixel without cloud. Costs width x height / 262,144 x bands / 3 for each day used, at least 0.01 units.
Example: {"input": {"bounds": {"bbox": [13.2, 45.45, 13.22, 45.47]}, "data": [{"type": "sentinel-2-l2a"}]}, "aggregation": {"timeRange": {"from": "2024-01-01", "to": "2024-12-31"}, "aggregationInterval": {"of": "P1M"}, "width": 64, "height": 64}, "index": "ndvi"}`;

type Input = z.infer<typeof StatisticsOfArea>;

export const statistics = defineTool({
  name: "statistics",
  title: "Statistics of an area over time",
  description: DESCRIPTION,
  notes: {
    input: "Where, and which collection.",
    "input.data": "One collection.",
    "input.bounds": "A box or a polygon.",
    "ProcessBounds.bbox": "West, south, east, north in degrees, or in units of `properties.crs`.",
    "ProcessBounds.properties": "The CRS.",
    "ProcessBounds.properties.crs": "CRS of `bbox` or `geometry`; default CRS84: degrees, longitude first.",
    "StatisticsData.dataFilter.maxCloudCoverage": "Scenes of more cloud, in percent, are left out.",
    "StatisticsData.processing": "How values are given.",
    aggregation: "Time and grid.",
    "Aggregation.timeRange": "First and last day.",
    "Aggregation.aggregationInterval": "How the time is divided.",
    "Aggregation.width": "Pixels; with `height`, instead of `resx` and `resy`.",
    "Aggregation.height": "Pixels.",
    "Aggregation.resx":
      "Pixel width in units of the CRS of `bounds`: degrees unless `properties.crs` says otherwise (0.0001 is some 10 m).",
    "Aggregation.resy": "Pixel height in units of the CRS of `bounds`: degrees unless `properties.crs` says otherwise.",
    index: "One of those of timeseries.",
    "Calculation.histogram": "How values are counted.",
    "Calculation.percentiles": "Percent, 0 to 100.",
    "HistogramSettings.nBins": "Number of bins of equal width.",
    "HistogramSettings.binWidth": "Width of the bins in units of the values.",
    "HistogramSettings.bins": "Edges of the bins in units of the values, ascending.",
    "HistogramSettings.lowEdge": "In units of the values; default: the smallest value of the interval.",
    "HistogramSettings.highEdge": "In units of the values; default: the largest value of the interval.",
  },
  input: StatisticsOfArea,
  output: StatisticsDocument,
  members: STATISTICS_MEMBERS,
  async call(input, { services, baseUrl, signal, admit }) {
    const prepared = await prepare(services, statisticsRequest(input), { signal });
    await admit(prepared.units);
    const result = await prepared.run({ signal });
    const lines = rowsOf(result, input);
    return {
      structured: statisticsDocument(result, statisticsRows(result, input), baseUrl),
      text: [...lines, ...(await nothingFound(services, result, signal)), ...result.attribution].join("\n"),
    };
  },
});

function rowsOf({ intervals, units }: Statistics, { bands, calculations }: Input): readonly string[] {
  const { columns, rows } = statisticsText(intervals, { calculations });
  return [`${bands === undefined ? "Computed from" : "Values in"} ${units}. ${columns}`, ...rowsText(rows)];
}

async function nothingFound(
  services: Parameters<typeof coverageOf>[0],
  { intervals, asked }: Statistics,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (intervals.some(({ used, skipped }) => used.length + skipped.length > 0)) return [];
  return ["No scene gave a pixel.", await coverageOf(services, asked, { signal })];
}
