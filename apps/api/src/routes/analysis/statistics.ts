import { z } from "@hono/zod-openapi";
import { DATA } from "@swath/account-api";
import { toUnits } from "@swath/accounts";
import { statisticsCsv, statisticsRows } from "@swath/engine";
import { prepare, type StatisticsServices } from "@swath/engine/node";
import { chooseMediaType } from "@swath/web";
import { MAX_PROCESS_BYTES } from "../../bodies/process.ts";
import { STATISTICS_MEMBERS, StatisticsRequest, statisticsRequest } from "../../bodies/statistics.ts";
import { CSV, CSV_WITH_HEADER, JSON_TYPE } from "../../documents/media-types.ts";
import { SAMPLED_HEADER, sampledHeader } from "../../documents/sampled-at.ts";
import { StatisticsDocument, statisticsDocument } from "../../documents/statistics.ts";
import { NO_STORE } from "../../http/answer/documents.ts";
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
        "Mean, deviation, extremes, percentiles and histogram of bands, an index or an expression, interval by interval, of the pixels whose centres are in a box or polygon. Clouds are masked first; the scenes of an interval are then mosaicked.",
      access: DATA,
      cost: "by-plan",
      body: { json: StatisticsRequest, maxBytes: MAX_PROCESS_BYTES },
      members: STATISTICS_MEMBERS,
      problems: [404, 413, 422, 504],
      responses: {
        200: {
          description: "The statistics; as CSV a row for each interval and output.",
          headers: {
            "X-Attribution": {
              description: "Of CSV: credit lines to show with the data, separated by semicolons.",
              schema: { type: "string" },
            },
            ...SAMPLED_HEADER,
          },
          content: { [JSON_TYPE]: { schema: StatisticsDocument }, [CSV_WITH_HEADER]: { schema: z.string() } },
        },
      },
    },
    async (c, { body }) => {
      const signal = c.get("signal");
      const prepared = await prepare(services, statisticsRequest(body), { signal });
      await c.get("meter").admit(toUnits(prepared.units));
      const statistics = await prepared.run({ signal });
      const rows = statisticsRows(statistics, body);
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
