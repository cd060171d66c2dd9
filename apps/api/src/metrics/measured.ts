import { countItems, type MergeableCatalog } from "@swath/catalog";
import type { Renderer } from "@swath/engine/node";
import type { JobQueue } from "@swath/store/jobs";
import { activeParent, traced } from "@swath/tracing";
import type { Metrics } from "./metrics.ts";

interface Timed {
  readonly outcome: "ok" | "failed";
  readonly seconds: number;
}

/** Does work as a span of that name, and reports how long it took. */
async function timed<T>(name: string, work: () => Promise<T>, report: (facts: Timed) => void): Promise<T> {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  try {
    const result = await traced(name, {}, work);
    report({ outcome: "ok", seconds: seconds() });
    return result;
  } catch (error) {
    report({ outcome: "failed", seconds: seconds() });
    throw error;
  }
}

/** A renderer that measures how long each job takes. */
export function measuredRenderer(renderer: Renderer, metrics: Metrics): Renderer {
  return {
    render: (job, options) =>
      timed(
        `render ${job.kind}`,
        () => renderer.render(job, options),
        (facts) => metrics.render({ kind: job.kind, ...facts }),
      ),
    extract: (job, options) =>
      timed(
        "render extract",
        () => renderer.extract(job, options),
        (facts) => metrics.render({ kind: "extract", ...facts }),
      ),
    compute: (job, options) =>
      timed(
        "render compute",
        () => renderer.compute(job, options),
        (facts) => metrics.render({ kind: "compute", ...facts }),
      ),
    ping: (options) => renderer.ping(options),
    close: () => renderer.close(),
  };
}

/** A catalog that measures how long each call takes. */
export function measuredCatalog(catalog: MergeableCatalog, metrics: Metrics): MergeableCatalog {
  const ask = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    timed(`catalog ${operation}`, work, (facts) => metrics.catalog({ operation, ...facts }));
  const counted = <T extends { readonly missing?: readonly string[] }>(page: T): T => {
    for (const upstream of page.missing ?? []) metrics.missing(upstream);
    return page;
  };
  return {
    search: async (query, options) => counted(await ask("search", () => catalog.search(query, options))),
    searchAt: async (query, place, options) =>
      counted(await ask("search", () => catalog.searchAt(query, place, options))),
    count: async (query, request, options) =>
      counted(await ask("count", () => countItems(catalog, query, request, options))),
    item: (collection, id, options) => ask("item", () => catalog.item(collection, id, options)),
    extent: (collection, options) => ask("extent", () => catalog.extent(collection, options)),
    has: (collection, options) => ask("has", () => catalog.has(collection, options)),
    ping: (options) => ask("ping", () => catalog.ping(options)),
  };
}

/** A queue that counts how jobs end, keeps the trace of who submits them, and gives none to this node while `isHeld`. */
export function measuredQueue(queue: JobQueue, metrics: Metrics, isHeld: () => boolean): JobQueue {
  return {
    ...queue,
    submit(job) {
      const trace = activeParent();
      return queue.submit(trace === undefined ? job : { ...job, trace });
    },
    claim: async (worker, leaseMs) => (isHeld() ? undefined : queue.claim(worker, leaseMs)),
    async finish(id, worker, outcome) {
      const kept = await queue.finish(id, worker, outcome);
      if (kept) metrics.job("result" in outcome ? "done" : "failed");
      return kept;
    },
  };
}
