import { DATA } from "../access/route-access.ts";
import { StatisticsDocument, statisticsDocument } from "../documents/statistics.ts";
import { JSON_TYPE, NO_STORE } from "../http/documents.ts";
import { addRoute, type Router } from "../http/route.ts";
import { toUnits } from "../metering/units.ts";
import { computeStatistics, type StatisticsServices } from "../operations/statistics.ts";
import { MAX_PROCESS_BYTES } from "../plan/process-request.ts";
import { StatisticsRequest } from "../plan/statistics-request.ts";

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
      problems: [404, 413, 422, 504],
      responses: {
        200: { description: "The statistics.", content: { [JSON_TYPE]: { schema: StatisticsDocument } } },
      },
    },
    async (c, { body }) => {
      const statistics = await computeStatistics(services, body, {
        signal: c.get("signal"),
        admit: (units) => c.get("meter").admit(toUnits(units)),
      });
      return Response.json(statisticsDocument(statistics, body, c.get("baseUrl")), {
        headers: { "Cache-Control": NO_STORE },
      });
    },
  );
}
