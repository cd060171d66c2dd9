import { curveWords } from "@swath/curve";
import { type Observation, prepare, type Timeseries } from "@swath/engine/node";
import { commonIndices } from "@swath/schema/presets";
import { seriesRequest, TIMESERIES_MEMBERS, TimeseriesBody } from "../../bodies/timeseries.ts";
import { TimeseriesDocument, timeseriesDocument } from "../../documents/analysis/timeseries.ts";
import { counted } from "../../open/counted.ts";
import { coverageOf } from "../coverage.ts";
import { rowsText } from "../text.ts";
import { defineTool } from "../tool.ts";

const DESCRIPTION = `How a place changed: the value of an index or an expression at a point, or in a polygon of at most 25 km², for each overpass of a satellite (every 2 to 16 days), clouds masked and sensors made comparable.
- geometry: GeoJSON Point {"type": "Point", "coordinates": [longitude, latitude]}, Polygon or MultiPolygon, degrees.
- datetime: interval of at most 15 years.
- one of index ("ndvi": -1 to 1, vegetation above 0.3) and expression ("(nir08 - swir16) / (nir08 + swir16)").
- collections: default ["optical-sr"], all optical sensors. reducer: of a polygon, default mean.
- maxCloudCoverage: leaves out scenes with more cloud, percent.
Rows are oldest first; an empty value means that clouds hid the place. validFraction is the share of pixels with a value, 0 to 1. Costs pixels / 262,144 x bands / 3 an overpass, at least 0.001, and 0.01 a call: a point for a year some 0.1 units.
Example: {"geometry": {"type": "Point", "coordinates": [13.21, 45.46]}, "datetime": "2024-01-01/2024-12-31", "index": "ndvi"}`;

export const timeseries = defineTool({
  name: "timeseries",
  title: "How a place changed",
  description: DESCRIPTION,
  notes: {
    geometry: "Point, Polygon or MultiPolygon of at most 25 km², degrees, longitude first.",
    reducer: "Of a polygon.",
    trend: "Change a year, and whether it is one.",
    index: `One of ${commonIndices.map(({ id }) => id).join(", ")} or the resource "schema"; instead of \`expression\`.`,
  },
  // a list of tools is read with each conversation: what a model seldom asks for is left to the route
  input: TimeseriesBody.omit({ format: true, reducers: true, smooth: true, season: true }).meta({
    id: "TimeseriesArguments",
  }),
  output: TimeseriesDocument,
  members: TIMESERIES_MEMBERS,
  async call(input, { services, baseUrl, signal, admit }) {
    const prepared = await prepare(services, seriesRequest(input), { signal });
    await admit(prepared.units);
    const series = await prepared.run({ signal });
    const { spec, observations, attribution } = series;
    const { matches, place, window } = spec;
    const nothing =
      observations.length > 0
        ? []
        : [
            await coverageOf(
              services,
              { collections: matches.map((each) => each.collection), bbox: place.bbox, window },
              { signal },
            ),
          ];
    return {
      structured: timeseriesDocument(series, baseUrl),
      text: [
        headOf(series),
        ...curveWords(series.curve),
        ...rowsText(observations.map(lineOf)),
        ...nothing,
        ...attribution,
      ].join("\n"),
    };
  },
});

function headOf({ spec: { programs }, observations }: Timeseries): string {
  const what = programs.index ?? "the expression";
  const columns = observations.length === 0 ? "" : ` datetime, platform, value, validFraction`;
  return `${counted(observations.length, "observation")} of ${what} (${programs.harmonize}).${columns}`;
}

function lineOf({ datetime, platform, value, validFraction, skipped }: Observation): string {
  const note = skipped.length === 0 ? "" : `, ${counted(skipped.length, "scene")} left out`;
  const time = datetime.replace(/\.\d+(?=Z$)/, "");
  return `${time}, ${platform ?? ""}, ${value ?? ""}, ${validFraction ?? ""}${note}`;
}
