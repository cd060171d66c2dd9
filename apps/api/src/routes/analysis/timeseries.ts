import { z } from "@hono/zod-openapi";
import { toUnits } from "@swath/accounts";
import { DATA } from "@swath/accounts/hono";
import { curveOptionsOf } from "@swath/curve/models";
import { type FeaturesRequest, Refusal, type SeriesRequest } from "@swath/engine";
import { prepare, type SeriesServices, type Timeseries } from "@swath/engine/node";
import { RENDER_VERSION } from "@swath/engine/node/images";
import { seriesCsv, seriesOfFeaturesCsv } from "@swath/engine/results";
import { didYouMean } from "@swath/engine/search";
import { parseList } from "@swath/query";
import { MaskClass } from "@swath/schema";
import { chooseMediaType, fingerprint, matchesEtag } from "@swath/web/answers";
import { MAX_FEATURES_BYTES } from "../../bodies/features.ts";
import { type SeriesFormat, seriesRequest, TIMESERIES_MEMBERS, TimeseriesRequest } from "../../bodies/timeseries.ts";
import { SAMPLED_HEADER, sampledHeader } from "../../documents/analysis/sampled-at.ts";
import {
  FeatureSeries,
  featureSeries,
  sampledPoint,
  TimeseriesDocument,
  timeseriesDocument,
} from "../../documents/analysis/timeseries.ts";
import { CSV, CSV_WITH_HEADER, JSON_TYPE } from "../../documents/media-types.ts";
import { NO_STORE } from "../../http/answer/documents.ts";
import { featuresAnswer } from "../../http/answer/features.ts";
import { SKIPPED_HEADER, skippedHeader } from "../../http/answer/scenes-skipped.ts";
import type { AppContext } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { TIMESERIES_PARAMETERS, TimeseriesQuery } from "./timeseries-models.ts";

const PNG = "image/png";
/** Version of the drawing of charts: another one makes other files of the same values. */
const CHART_VERSION = 2;
const TYPES = { json: JSON_TYPE, csv: CSV, png: PNG } as const satisfies Record<SeriesFormat, string>;
/** Answers to a GET of a window to which no scene can come any more. */
const CACHE_SETTLED = "private, max-age=3600";

/** @param keeps whether the answer may be kept: what is asked is in the address alone */
async function answer(
  c: AppContext,
  services: SeriesServices,
  request: SeriesRequest,
  { format, keeps }: { readonly format: SeriesFormat | undefined; readonly keeps: boolean },
): Promise<Response> {
  const type = chooseMediaType(c.req.header("Accept"), Object.values(TYPES)) ?? TYPES[format ?? "json"];
  const signal = c.get("signal");
  const prepared = await prepare(services, request, { signal });
  const run = async (): Promise<Timeseries> => {
    await c.get("meter").admit(toUnits(prepared.units));
    return prepared.run({ signal });
  };
  if (!keeps) return seriesAnswer(c, await run(), type, { "Cache-Control": NO_STORE });
  const drawn = type === PNG ? `${type}, ${CHART_VERSION}` : type;
  const etag = `"r${RENDER_VERSION}-${fingerprint(`${drawn} ${c.get("baseUrl")} ${prepared.key()}`)}"`;
  const headers = { ETag: etag, "Cache-Control": prepared.isSettled ? CACHE_SETTLED : NO_STORE };
  if (matchesEtag(c.req.header("If-None-Match"), etag)) {
    return new Response(null, { status: 304, headers: { ...headers, Vary: "Accept" } });
  }
  const series = await run();
  // a series that lacks scenes is another one when they can be read
  const isWhole = series.observations.every(({ skipped }) => skipped.length === 0);
  return seriesAnswer(c, series, type, isWhole ? headers : { "Cache-Control": NO_STORE });
}

/** @throws {Refusal} `invalid` for a chart, which is of one place. */
async function severalAnswer(
  c: AppContext,
  services: SeriesServices,
  request: FeaturesRequest<SeriesRequest["into"]>,
  format: SeriesFormat | undefined,
): Promise<Response> {
  if (format === "png") throw new Refusal("invalid", ["format"], "Expected json or csv of several features, got png.");
  const type = chooseMediaType(c.req.header("Accept"), [JSON_TYPE, CSV]) ?? TYPES[format ?? "json"];
  const signal = c.get("signal");
  const prepared = await prepare(services, request, { signal });
  await c.get("meter").admit(toUnits(prepared.units));
  const { features } = await prepared.run({ signal });
  const parts = type === CSV ? seriesOfFeaturesCsv(features) : featureSeries(features, c.get("baseUrl"));
  return featuresAnswer(parts, type, features);
}

async function seriesAnswer(
  c: AppContext,
  series: Timeseries,
  type: string,
  cache: Readonly<Record<string, string>>,
): Promise<Response> {
  const skipped = series.observations.flatMap((row) => row.skipped.map(({ id }) => id));
  const problems = series.observations.filter((row) => row.skipped.length > 0).length;
  const headers = {
    ...cache,
    Vary: "Accept",
    ...(series.attribution.length === 0 ? {} : { "X-Attribution": series.attribution.join("; ") }),
    ...skippedHeader(skipped),
    ...(problems === 0 ? {} : { "X-Series-Problems": String(problems) }),
    ...sampledHeader(sampledPoint(series.observations)),
  };
  if (type === PNG) {
    const { toChart } = await import("./timeseries-chart.ts");
    const bytes = await toChart(series);
    return new Response(bytes, {
      headers: { ...headers, "Content-Type": PNG, "Content-Length": String(bytes.byteLength) },
    });
  }
  if (type === CSV) {
    return new Response(seriesCsv(series), {
      headers: { ...headers, "Content-Type": CSV_WITH_HEADER },
    });
  }
  return Response.json(timeseriesDocument(series, c.get("baseUrl")), { headers });
}

const responses = {
  200: {
    description: "The series.",
    headers: {
      "X-Attribution": {
        description: "Credit lines to show with the data, separated by semicolons.",
        schema: { type: "string" },
      },
      ...SKIPPED_HEADER,
      "X-Series-Problems": {
        description:
          "Rows of which scenes are left out, which JSON names with the reasons; absent where there are none.",
        schema: { type: "integer", minimum: 1 },
      },
      ...SAMPLED_HEADER,
    },
    content: {
      [JSON_TYPE]: { schema: z.union([TimeseriesDocument, FeatureSeries]) },
      [CSV_WITH_HEADER]: { schema: z.string() },
      [PNG]: { schema: z.any().openapi({ type: "string", format: "binary" }) },
    },
  },
} as const;

const DESCRIPTION =
  "One value for each overpass of a satellite, of all its scenes: the first pixel that no mask drops. A masked observation stays in the series with a null value. Complete, or an error.";

export function registerTimeseries(router: Router, services: SeriesServices): void {
  const shared = { tag: "Analysis", access: DATA, cost: "by-plan", problems: [404, 413, 422, 504], responses } as const;
  addRoute(
    router,
    {
      ...shared,
      method: "get",
      path: "/v1/timeseries",
      operationId: "getTimeseries",
      summary: "An index at a point over time",
      description: DESCRIPTION,
      etag: true,
      query: TimeseriesQuery,
      members: TIMESERIES_PARAMETERS,
    },
    (c, { query }) => answer(c, services, fromQuery(query), { format: query.format, keeps: true }),
  );
  addRoute(
    router,
    {
      ...shared,
      method: "post",
      path: "/v1/timeseries",
      operationId: "computeTimeseries",
      summary: "An index at a point or in a polygon over time",
      description: DESCRIPTION,
      body: { json: TimeseriesRequest, maxBytes: MAX_FEATURES_BYTES },
      members: TIMESERIES_MEMBERS,
    },
    async (c, { body }) => {
      const request = seriesRequest(body);
      const { where } = request;
      if (where.kind === "features") return severalAnswer(c, services, { ...request, where }, body.format);
      return answer(c, services, { ...request, where }, { format: body.format, keeps: false });
    },
  );
}

/** @throws {Refusal} `invalid` for what is no mask class. */
function fromQuery(query: z.infer<typeof TimeseriesQuery>): SeriesRequest {
  const { lon, lat, datetime, index, expression, harmonize, maxCloudCoverage: maxCloudCover } = query;
  const list = (name: "collections" | "exclude"): readonly string[] | undefined =>
    query[name] === undefined ? undefined : parseList(query[name], { in: "query", pointer: name });
  const exclude = list("exclude")?.map((name) => {
    const parsed = MaskClass.safeParse(name);
    if (parsed.success) return parsed.data;
    const hint = didYouMean(name, MaskClass.options);
    throw new Refusal("invalid", ["what", "mask", "exclude"], `Expected mask classes, got "${name}".${hint}`);
  });
  return {
    where: { kind: "point", lon, lat },
    when: { collections: list("collections"), time: datetime, maxCloudCover },
    what: {
      index,
      expression,
      harmonize,
      ...(exclude === undefined ? {} : { mask: { exclude: [...new Set(exclude)] } }),
    },
    into: { kind: "overpasses", ...curveOptionsOf(query) },
  };
}
