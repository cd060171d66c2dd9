import { readFile } from "node:fs/promises";
import { afterEach, expect, inject, test } from "vitest";
import { type CollectedSpan, startCollector, type TraceCollector } from "../../../../test/tools/trace-collector.ts";
import { type Fleet, startFleet } from "./fleet/fleet.ts";
import { ended, jobBody } from "./fleet/jobs.ts";

const START_MS = 120_000;
const TILE = "/v1/tiles/true-color/WebMercatorQuad/11/1102/730.png?datetime=2024-07-04/2024-07-04";
/** The trace of a client that starts one for each purpose. */
const traceOf = (digit: string) => ({
  id: digit.repeat(32),
  span: "9".repeat(16),
  header: `00-${digit.repeat(32)}-${"9".repeat(16)}-01`,
});

let fleet: Fleet | undefined;
let collector: TraceCollector | undefined;
afterEach(async () => {
  await fleet?.close();
  await collector?.close();
  [fleet, collector] = [undefined, undefined];
});

const traced = (address: string) => (upstreamHost: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  OTEL_BSP_SCHEDULE_DELAY: "100",
  SWATH_TRACE_HOSTS: upstreamHost,
});

/** The names of a trace's spans from its first on, each with those that it holds, names alike once. */
function tree(spans: readonly CollectedSpan[], parent: string): object {
  const below = spans.filter(({ parentSpanId }) => parentSpanId === parent);
  return Object.fromEntries(
    below.map(({ name, spanId }) => [name.replace(/127\.0\.0\.1:\d+/, "HOST"), tree(spans, spanId)]),
  );
}

test("a tile is one trace from its client over the node and its render thread to the files, and to the upstream; a job is one over two processes", {
  timeout: START_MS + 120_000,
}, async () => {
  const { spans, url, close } = await startCollector();
  collector = { spans, url, close, bodies: [] };
  fleet = await startFleet(inject("sandbox"), { apis: 1, workers: 1, environment: traced(url) });
  const { secret } = await fleet.createKey("traces");
  const [tile, job, known] = ["a", "b", "c"].map(traceOf) as [
    ReturnType<typeof traceOf>,
    ReturnType<typeof traceOf>,
    ReturnType<typeof traceOf>,
  ];
  const ask = (path: string, trace: string, init: RequestInit = {}) =>
    fleet?.ask(path, {
      ...init,
      headers: { "X-API-Key": secret, "Content-Type": "application/json", traceparent: trace },
    });

  const image = await ask(TILE, tile.header);
  expect([image?.status, image?.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  expect((await ask(TILE, known.header))?.status).toBe(200);
  const accepted = await ask("/v1/process/jobs", job.header, { method: "POST", body: JSON.stringify(jobBody(1)) });
  const id = ((await accepted?.json()) as { id: string } | undefined)?.id ?? "";
  expect((await ended(fleet, secret, id, performance.now() + 60_000)).status).toBe("done");

  const ofTrace = ({ id: traceId }: { id: string }) => spans.filter((span) => span.traceId === traceId);
  const route = "GET /v1/tiles/:presetId/:tileMatrixSetId/:z/:x/:segment7";
  await expect.poll(() => ofTrace(tile).some(({ parentSpanId }) => parentSpanId === tile.span)).toBe(true);
  expect(tree(ofTrace(tile), tile.span)).toEqual({
    [route]: {
      "catalog search": { "GET HOST": {}, "POST HOST": {} },
      "render tile": { "thread tile": { "GET HOST": {} } },
    },
  });
  const [thread] = ofTrace(tile).filter(({ name }) => name === "thread tile");
  for (const read of ofTrace(tile).filter(({ parentSpanId }) => parentSpanId === thread?.spanId)) {
    expect(read.start).toBeGreaterThanOrEqual((thread?.start ?? 0) - 1);
    expect(read.end).toBeLessThanOrEqual((thread?.end ?? 0) + 1);
    expect(read.attributes).toMatchObject({
      "url.path": expect.stringMatching(/\.tif$/),
      "swath.bytes": expect.anything(),
    });
  }
  // the upstream got the span of the very request
  const [asked] = ofTrace(tile).filter(({ name }) => name.startsWith("POST "));
  expect(fleet.upstreamParents).toContain(`00-${tile.id}-${asked?.spanId}-01`);
  // from the cache nothing is searched or read
  await expect.poll(() => ofTrace(known).length).toBe(1);

  await expect.poll(() => ofTrace(job).some(({ name }) => name === "job process")).toBe(true);
  const processes = Object.fromEntries(
    ofTrace(job).map(({ name, resource }) => [name.replace(/ 127.*/, " HOST"), resource["service.name"]]),
  );
  expect(processes).toMatchObject({
    "POST /v1/process/jobs": "swath-api",
    "job process": "swath-worker",
    "render extract": "swath-worker",
    "thread extract-block": "swath-worker",
    "GET HOST": "swath-worker",
  });
  expect(new Set(spans.map(({ resource }) => resource["deployment.environment.name"]))).toEqual(new Set(["test"]));

  // lines of the log name the trace, and no span holds what is secret
  const log = await readFile(fleet.logs, "utf8");
  expect(log).toContain(`"traceId":"${tile.id}"`);
  for (const kept of [secret, fleet.archive.account.secretAccessKey, "X-Amz-Signature"]) {
    expect(JSON.stringify(spans)).not.toContain(kept);
  }
});

test("a collector that refuses everything is one line of the log a minute, and delays neither answers nor a stop", {
  timeout: START_MS + 60_000,
}, async () => {
  const { bodies, ...rest } = await startCollector({ status: 400 });
  collector = { ...rest, bodies };
  fleet = await startFleet(inject("sandbox"), {
    apis: 1,
    workers: 0,
    environment: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: rest.url, OTEL_BSP_SCHEDULE_DELAY: "50" }),
  });
  const { secret } = await fleet.createKey("refused");
  for (let i = 0; i < 3; i++) {
    const count = bodies.length;
    expect((await fleet.ask(TILE, { headers: { "X-API-Key": secret } })).status).toBe(200);
    await expect.poll(() => bodies.length).toBeGreaterThan(count);
  }
  expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(["application/x-protobuf"]));
  expect(await fleet.apis[0]?.stop()).toBe(0);
  const faults = (await readFile(fleet.logs, "utf8")).match(/traces could not be sent/g);
  expect(faults).toHaveLength(1);
});
