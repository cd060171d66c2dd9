import { z } from "@hono/zod-openapi";
import { toUnits } from "@swath/accounts";
import { DATA } from "@swath/accounts/hono";
import { prepare, type StatisticsServices } from "@swath/engine/node";
import { statisticsCsv, statisticsOfFeaturesCsv, statisticsRows } from "@swath/engine/results";
import { chooseMediaType } from "@swath/web/answers";
import { MAX_FEATURES_BYTES } from "../../bodies/features.ts";
import { STATISTICS_MEMBERS, StatisticsRequest, statisticsRequest } from "../../bodies/statistics.ts";
import { SAMPLED_HEADER, sampledHeader } from "../../documents/analysis/sampled-at.ts";
import {
  FeatureStatistics,
  featureStatistics,
  StatisticsDocument,
  StatisticsFeatures,
  statisticsDocument,
} from "../../documents/analysis/statistics.ts";
import { CSV, CSV_WITH_HEADER, GEOJSON, JSON_TYPE } from "../../documents/media-types.ts";
import { NO_STORE } from "../../http/answer/documents.ts";
import { featuresAnswer } from "../../http/answer/features.ts";
import { addRoute, type Router } from "../../http/request/route.ts";

export function registerStatistics(router: Router, services: StatisticsServices): void {
  addRoute(
    router,
    {
      method: "post",
      path: "/v1/statistics",
      operationId: "computeStatistics",
      tag: "Analysis",
      summary: "Statistics of an area over time",
      description:
        "Mean, deviation, extremes, percentiles and histogram of bands, an index or an expression, interval by interval, of the pixels whose centres are in a box or polygon. Clouds are masked first; the scenes of an interval are then mosaicked. Of `input.features` each has its own numbers, and files are read once for neighbours.",
      access: DATA,
      cost: "by-plan",
      body: { json: StatisticsRequest, maxBytes: MAX_FEATURES_BYTES },
      members: STATISTICS_MEMBERS,
      problems: [404, 413, 422, 504],
      responses: {
        200: {
          description:
            "The statistics; as CSV a row for each interval and output; as GeoJSON the features that were sent, with `properties.statistics`.",
          headers: {
            "X-Attribution": {
              description: "Of CSV: credit lines to show with the data, separated by semicolons.",
              schema: { type: "string" },
            },
            ...SAMPLED_HEADER,
          },
          content: {
            [JSON_TYPE]: { schema: z.union([StatisticsDocument, FeatureStatistics]) },
            [CSV_WITH_HEADER]: { schema: z.string() },
            [GEOJSON]: { schema: StatisticsFeatures },
          },
        },
      },
    },
    async (c, { body }) => {
      const signal = c.get("signal");
      const request = statisticsRequest(body);
      const { where, into } = request;
      if (where.kind === "features") {
        const prepared = await prepare(services, { ...request, where }, { signal });
        await c.get("meter").admit(toUnits(prepared.units));
        const { features } = await prepared.run({ signal });
        const type = chooseMediaType(c.req.header("Accept"), [JSON_TYPE, CSV, GEOJSON]) ?? JSON_TYPE;
        const sent = type === GEOJSON ? body.input.features : undefined;
        const parts =
          type === CSV
            ? statisticsOfFeaturesCsv(features, into)
            : featureStatistics(features, into, { baseUrl: c.get("baseUrl"), sent });
        return featuresAnswer(parts, type, features);
      }
      const prepared = await prepare(services, { ...request, where }, { signal });
      await c.get("meter").admit(toUnits(prepared.units));
      const statistics = await prepared.run({ signal });
      const rows = statisticsRows(statistics, into);
      const headers = { "Cache-Control": NO_STORE, Vary: "Accept", ...sampledHeader(statistics.sampledAt) };
      if (chooseMediaType(c.req.header("Accept"), [JSON_TYPE, CSV]) !== CSV)
        return Response.json(statisticsDocument(statistics, rows, c.get("baseUrl")), { headers });
      const { attribution } = statistics;
      const more = attribution.length === 0 ? {} : { "X-Attribution": attribution.join("; ") };
      return new Response(statisticsCsv(rows), {
        headers: { ...headers, ...more, "Content-Type": CSV_WITH_HEADER },
      });
    },
  );
}
