import { startTracing } from "@swath/otlp";
import { describe, expect, test } from "vitest";
import { type CollectedSpan, startCollector } from "../../../test/tools/trace-collector.ts";
import { activeParent, type MeasuredSpan, spanReceiver, traced, tracedFetch } from "../src/index.ts";
import { addPart, measured } from "../src/node.ts";

process.env.OTEL_BSP_SCHEDULE_DELAY = "50";
// one process has one provider of traces: the collector stays, and each test looks at the trace that it began
const collector = await startCollector();
const tracing = await startTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" },
  { name: "towns", version: "1.2.0" },
);

const CLIENT = "00-11111111111111111111111111111111-2222222222222222-00";

/** The spans of the traces that hold a span of this name, once they have all come. */
async function collected(name: string, count: number): Promise<readonly CollectedSpan[]> {
  const found = (): readonly CollectedSpan[] => {
    const ids = new Set(collector.spans.filter((span) => span.name === name).map(({ traceId }) => traceId));
    return collector.spans.filter(({ traceId }) => ids.has(traceId));
  };
  await expect.poll(() => found().length, { timeout: 20_000 }).toBe(count);
  return found();
}
const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
  const span = spans.find((each) => each.name === name);
  if (span === undefined) throw new Error(`Expected a span ${name} among ${spans.map((each) => each.name)}.`);
  return span;
};

describe("a trace", () => {
  test("has a span for each piece of work, below that which began it, through all that is awaited", async () => {
    await traced("outer", { role: "server", facts: { town: "Ghent" } }, async (span) => {
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([traced("left", {}, async () => {}), traced("right", {}, async () => {})]);
      span.rename("GET /towns/{name}");
    });
    const spans = await collected("GET /towns/{name}", 3);
    const outer = named(spans, "GET /towns/{name}");
    expect(outer).toMatchObject({ parentSpanId: "", kind: 2, status: 0, attributes: { town: "Ghent" } });
    expect(outer.resource).toMatchObject({ "service.name": "towns", "service.version": "1.2.0" });
    for (const name of ["left", "right"]) expect(named(spans, name).parentSpanId).toBe(outer.spanId);
  });

  test("goes on where the header traceparent says, whatever its flag, and hands itself on", async () => {
    const given = await traced("follow", { parent: CLIENT }, async () => activeParent());
    const span = named(await collected("follow", 1), "follow");
    expect(span).toMatchObject({ traceId: CLIENT.split("-")[1], parentSpanId: CLIENT.split("-")[2] });
    expect(given).toBe(`00-${span.traceId}-${span.spanId}-01`);
  });

  test.each([
    ["empty", ""],
    ["too short", "00-0-0-01"],
    ["of no trace", "00-00000000000000000000000000000000-2222222222222222-01"],
    ["9,000 characters long", "x".repeat(9000)],
  ])("begins anew where the header is %s", async (name, parent) => {
    await traced(name, { parent }, async () => {});
    expect(named(await collected(name, 1), name).parentSpanId).toBe("");
  });

  test("notes an error by its name, not by its message", async () => {
    const work = traced("wrong", {}, async () => {
      throw new RangeError("token=secret");
    });
    await expect(work).rejects.toThrow("token=secret");
    const span = named(await collected("wrong", 1), "wrong");
    expect([span.status, span.attributes["error.type"]]).toEqual([2, "RangeError"]);
    expect(JSON.stringify(span)).not.toContain("secret");
  });

  test("has what another thread measured, at the times when it was, below the span that asked for it", async () => {
    let sent: MeasuredSpan | undefined;
    await traced("ask", {}, async () => {
      const receive = spanReceiver();
      await measured(
        "thread draw",
        (span) => {
          sent = structuredClone(span);
        },
        async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          addPart(15, { name: "GET files", role: "client", facts: { "swath.bytes": 7 }, fault: "404" });
        },
      );
      if (sent !== undefined) receive?.(sent);
    });
    addPart(1, { name: "nobody measures this" });
    const spans = await collected("ask", 3);
    const [ask, thread, read] = ["ask", "thread draw", "GET files"].map((name) => named(spans, name));
    expect([thread?.parentSpanId, read?.parentSpanId]).toEqual([ask?.spanId, thread?.spanId]);
    expect(read).toMatchObject({ kind: 3, status: 2, attributes: { "swath.bytes": 7 } });
    expect((read?.end ?? 0) - (read?.start ?? 0)).toBeCloseTo(15, 0);
    expect(thread?.end).toBeGreaterThanOrEqual(read?.end ?? Number.POSITIVE_INFINITY);
  });

  test("keeps 200 parts of what a thread measures, and counts the others", async () => {
    let span: MeasuredSpan | undefined;
    await measured(
      "many",
      (each) => {
        span = each;
      },
      async () => {
        for (let i = 0; i < 230; i++) addPart(0, { name: "part" });
      },
    );
    expect([span?.parts?.length, span?.facts]).toEqual([200, { "swath.parts_dropped": 30 }]);
  });

  test("has requests by method and host, and is told to the hosts that are named alone", async () => {
    const sent: (string | null)[] = [];
    const fetch = tracedFetch(
      (host) => host === "named.example:8443",
      async (_, init) => {
        sent.push(new Headers(init?.headers).get("traceparent"));
        return new Response(null, { status: 503 });
      },
    );
    await traced("client", {}, async () => {
      await fetch("https://named.example:8443/a?token=secret", { headers: { accept: "x" } });
      await fetch("https://other.example/b?token=secret");
    });
    const spans = await collected("client", 3);
    const request = named(spans, "GET named.example:8443");
    expect(sent).toEqual([`00-${request.traceId}-${request.spanId}-01`, null]);
    expect(request).toMatchObject({ kind: 3, status: 2, attributes: { "http.response.status_code": 503 } });
    expect(JSON.stringify(spans)).not.toContain("secret");
  });
});

test("a stop sends what is left", async () => {
  await traced("last", {}, async () => {});
  await tracing?.stop();
  expect(collector.spans.some(({ name }) => name === "last")).toBe(true);
  await collector.close();
});
