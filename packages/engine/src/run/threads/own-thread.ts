import { spanReceiver } from "@swath/tracing";
import { measured } from "@swath/tracing/node";
import type { ComputeJob, ComputeOptions, ComputeResult } from "../compute/compute-job.ts";
import { refusalOfRead } from "../errors.ts";
import type { ExtractJob, ExtractOptions, ExtractOutcome } from "../extract/extract-job.ts";
import { createSharedAccess, type ProcessAccess } from "../files/access/shared-access.ts";
import { createSources, type SourceSettings } from "../files/sources.ts";
import { TrafficCount } from "../files/traffic.ts";
import type { ImageJob, RenderedImage, Renderer, RenderOptions } from "../job.ts";
import type { RenderSettings } from "../resources.ts";
import { inlineRenderer } from "./inline-renderer.ts";
import { addRead } from "./read-spans.ts";
import type { ServiceRenderer } from "./service-renderer.ts";

/**
 * Renders in the thread that calls it: for a process that answers one request at a time and ends soon, where threads would
 * load the same code a second time.
 */
export class OwnThread implements ServiceRenderer {
  onTraffic: ServiceRenderer["onTraffic"] = () => {};
  onCredential: ServiceRenderer["onCredential"] = () => {};
  readonly access: ProcessAccess;
  readonly sources: SourceSettings;
  readonly #renderer: Renderer;
  readonly #traffic = new TrafficCount();

  constructor(settings: RenderSettings) {
    const { sources } = settings;
    this.sources = sources;
    this.access = createSharedAccess({ ...sources, onCredential: (...change) => this.onCredential(...change) });
    const onRead: SourceSettings["onRead"] = (record, isPaid) => {
      this.#traffic.add(record, isPaid);
      addRead(record);
    };
    this.#renderer = inlineRenderer(settings, createSources({ ...sources, onRead }, this.access));
  }

  render(job: ImageJob, options: RenderOptions): Promise<RenderedImage> {
    return this.#work(job.kind, () => this.#renderer.render(job, options));
  }

  extract(job: ExtractJob, options: ExtractOptions): Promise<ExtractOutcome> {
    return this.#work(job.kind, () => this.#renderer.extract(job, options));
  }

  compute(job: ComputeJob, options: ComputeOptions): Promise<ComputeResult> {
    return this.#work(job.kind, () => this.#renderer.compute(job, options));
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  /** Measures work for the caller's trace, words its errors as render threads do, and reports what it read. */
  async #work<T>(kind: string, work: () => Promise<T>): Promise<T> {
    const onSpan = spanReceiver();
    try {
      return await (onSpan === undefined ? work() : measured(`thread ${kind}`, onSpan, work));
    } catch (error) {
      throw refusalOfRead(error);
    } finally {
      const traffic = this.#traffic.take();
      if (traffic !== undefined) this.onTraffic(traffic);
    }
  }
}
