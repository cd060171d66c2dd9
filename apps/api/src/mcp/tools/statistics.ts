import { StatisticsDocument, statisticsDocument } from "../../documents/statistics.ts";
import { computeStatistics, type IntervalStatistics, type Statistics } from "../../operations/statistics.ts";
import { PLAIN_NUMBER } from "../../plan/band-units.ts";
import { StatisticsRequest } from "../../plan/statistics-request.ts";
import { defineTool } from "../tool.ts";

const DESCRIPTION = `Statistics of an area over time: minimum, maximum, mean, standard deviation, percentiles and histogram of bands, an index or an expression, one row an interval. Clouds and their shadows are masked first. Use it for areas; for a point or a polygon up to 25 km² and one value for each overpass use \`timeseries\`.
- input.bounds: bbox [west, south, east, north] in degrees or geometry (GeoJSON Polygon, MultiPolygon).
- input.data: [{"type": "sentinel-2-l2a"}], one collection; dataFilter.maxCloudCoverage in percent.
- aggregation.timeRange: {"from": "2024-01-01", "to": "2024-12-31"}; aggregation.aggregationInterval.of: ISO 8601 duration such as "P1M"; default the whole range.
- aggregation.width and height in pixels, or resx and resy, the pixel size in degrees (metres where input.bounds.properties.crs is in metres): the grid; at most 2,500 pixels a side and 400 intervals. Default the native resolution, 10 to 30 m a pixel: give width and height (such as 256) for areas of more than some kilometres.
- one of bands (["red", "nir08"]), index ("ndvi"), expression ("(nir08 - red) / (nir08 + red)").
- calculations: {"default": {"percentiles": [5, 50, 95]}}.
Values are reflectance (0 to 1) or the index; null: no pixel without cloud. Costs width x height / 262,144 x bands / 3 for each day used, at least 0.01 units.
Example: {"input": {"bounds": {"bbox": [13.2, 45.45, 13.22, 45.47]}, "data": [{"type": "sentinel-2-l2a"}]}, "aggregation": {"timeRange": {"from": "2024-01-01", "to": "2024-12-31"}, "aggregationInterval": {"of": "P1M"}, "width": 64, "height": 64}, "index": "ndvi"}`;

/** Rows that the text has. */
const MAX_ROWS = 120;

export const statistics = defineTool({
  name: "statistics",
  title: "Statistics of an area over time",
  description: DESCRIPTION,
  input: StatisticsRequest,
  output: StatisticsDocument,
  async call(services, input, { baseUrl, signal, admit }) {
    const result = await computeStatistics(services, input, { signal, admit });
    const rows = result.intervals.flatMap(linesOf);
    const more = rows.length > MAX_ROWS ? [`${rows.length - MAX_ROWS} more rows in the structured content.`] : [];
    return {
      structured: statisticsDocument(result, input, baseUrl),
      text: [
        `${unitsOf(result)} from, to, output, mean, min, max, stDev, pixels with a value / all`,
        ...rows.slice(0, MAX_ROWS),
        ...more,
        ...result.attribution,
      ].join("\n"),
    };
  },
});

/** Units of the outputs; of an expression, which may have any, those of its bands. */
function unitsOf({ outputUnits, bandUnits, intervals }: Statistics): string {
  const said = (units: Readonly<Record<string, string>>): string =>
    Object.entries(units)
      .map(([name, unit]) => (unit === PLAIN_NUMBER ? name : `${name} in ${unit}`))
      .join(", ");
  const isKnown = intervals[0]?.outputs.every(({ name }) => Object.hasOwn(outputUnits, name)) ?? true;
  return isKnown ? `Values: ${said(outputUnits)}.` : `Computed from ${said(bandUnits)}.`;
}

function linesOf({ interval, outputs, skipped }: IntervalStatistics): string[] {
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const number = (value: number | null | undefined): string => value?.toPrecision(5) ?? "";
  const note = skipped.length === 0 ? "" : `, ${skipped.length} scenes left out`;
  return outputs.map(
    ({ name, mean, min, max, standardDeviation, count, pixels }) =>
      `${day(interval.from)}, ${day(interval.to)}, ${name}, ${[mean, min, max, standardDeviation].map(number).join(", ")}, ${count} / ${pixels}${note}`,
  );
}
