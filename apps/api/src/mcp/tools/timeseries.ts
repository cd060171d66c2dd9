import { TimeseriesDocument, timeseriesDocument } from "../../documents/timeseries.ts";
import { toCsv } from "../../documents/timeseries-csv.ts";
import { computeTimeseries } from "../../operations/timeseries.ts";
import { PLAIN_NUMBER } from "../../plan/band-units.ts";
import { TimeseriesBody } from "../../plan/timeseries-body.ts";
import { defineTool } from "../tool.ts";

const DESCRIPTION = `How a place changed: the value of an index or an expression at a point, or in a polygon of at most 25 km², for each overpass of a satellite (every 2 to 16 days), clouds masked and sensors made comparable. Use it for curves of vegetation, water or temperature.
- geometry: GeoJSON Point {"type": "Point", "coordinates": [longitude, latitude]}, Polygon or MultiPolygon, degrees.
- datetime: interval of at most 15 years, such as "2024-01-01/2024-12-31".
- one of index ("ndvi": -1 to 1, vegetation above 0.3) and expression ("(nir08 - swir16) / (nir08 + swir16)").
- collections: default ["optical-sr"], all optical sensors. reducer: mean (default), median, min, max of a polygon's pixels.
- maxCloudCoverage: leaves out scenes with more cloud, percent.
Rows are oldest first; a null value means that clouds hid the place. validFraction is the share of pixels with a value. Complete, or an error. Costs pixels / 262,144 x bands / 3 an overpass, at least 0.001, and 0.01 a call: a point for a year some 0.1 units.
Example: {"geometry": {"type": "Point", "coordinates": [13.21, 45.46]}, "datetime": "2024-01-01/2024-12-31", "index": "ndvi"}`;

/** Rows that the text has. */
const MAX_ROWS = 250;

export const timeseries = defineTool({
  name: "timeseries",
  title: "How a place changed",
  description: DESCRIPTION,
  input: TimeseriesBody.omit({ format: true }).meta({ id: "TimeseriesArguments" }),
  output: TimeseriesDocument,
  async call(services, input, { baseUrl, signal, admit }) {
    const series = await computeTimeseries(
      services,
      { in: "body", ...input, geometry: input.geometry },
      { signal, admit },
    );
    const { observations, attribution } = series;
    const { unit } = series.spec.measures;
    const hidden = observations.length - MAX_ROWS;
    return {
      structured: timeseriesDocument(series, baseUrl),
      text: [
        `${observations.length} observations${unit === undefined || unit === PLAIN_NUMBER ? "" : `, values in ${unit}`}.`,
        toCsv(observations.slice(0, MAX_ROWS)).trimEnd().replaceAll("\r", ""),
        ...(hidden > 0 ? [`${hidden} more rows in the structured content.`] : []),
        ...attribution,
      ].join("\n"),
    };
  },
});
