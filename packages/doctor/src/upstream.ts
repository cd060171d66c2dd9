import type { Fetch } from "@swath/http";
import type { CollectionSchema } from "@swath/schema";
import { upstreamCollections } from "@swath/schema/upstreams";
import { type BoundedFetch, boundedFetch } from "./bounded-fetch.ts";
import { CollectionExamination, type Opened } from "./collection.ts";
import { type PlainText, plainUrl } from "./plain-text.ts";
import { type CollectionReport, STEPS, type StepName, type StepReport, type UpstreamReport } from "./report.ts";
import { type Examination, skipped, takeStep } from "./step.ts";
import { type SettingNames, type UpstreamPlace, upstreamWords } from "./words.ts";

/** An upstream with the collections that are examined there. */
export interface Upstream {
  readonly name: string;
  /** The kind of upstream, in words. */
  readonly title: string;
  /** Root of its STAC API; absent: an archive on this machine, which has neither landing page nor requests. */
  readonly url?: string;
  readonly collections: readonly CollectionSchema[];
  /**
   * Opens what is tried, as the program itself does. Absent: nothing of it is tried.
   *
   * @param fetch sends all requests to the upstream and to hosts of its files; it counts them, and ends them.
   */
  open?(fetch: Fetch): Opened | Promise<Opened>;
}

/** Bounds of what is asked. */
export interface ExaminationLimits {
  /** Requests that are sent to an upstream and to the hosts of its files, together. */
  readonly requests: number;
  /** The longest step, milliseconds. */
  readonly stepMs: number;
  /** The longest examination of an upstream, milliseconds. */
  readonly upstreamMs: number;
}

export interface ExaminationOptions extends ExaminationLimits {
  readonly settings: SettingNames;
  readonly plain: PlainText;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

const DOWN = "Neither the landing page nor a search was answered before.";
const LANDING_REQUESTS = 2;

/**
 * Examines an upstream, one request after the other. What several collections take from the same upstream collection is
 * asked once.
 */
export async function examineUpstream(upstream: Upstream, options: ExaminationOptions): Promise<UpstreamReport> {
  const { name, title, url, collections } = upstream;
  const started = options.now();
  const bounded = boundedFetch(options.requests, options.fetch, url);
  const opened = await upstream.open?.(bounded.fetch);
  const examination: Examination = { ...options, bounded, deadline: deadlineOf(options) };
  const place = placeOf(upstream, options);
  const landingPage =
    url === undefined || opened === undefined ? undefined : await askLandingPage(opened, place, examination);
  const examined =
    opened === undefined
      ? []
      : collections.map((each) => new CollectionExamination(each, { ...examination, opened, place }));
  const reports = await examineAll(examined, bounded, landingPage?.status === "failed");
  const steps = [landingPage, ...reports.flatMap((report) => report.steps)];
  return {
    name,
    title,
    ...(url === undefined ? {} : { url: plainUrl(url) }),
    status: steps.some((step) => step?.status === "failed") ? "failing" : "ok",
    requests: bounded.requests,
    ms: Math.max(0, Math.round(options.now() - started)),
    bytes: bounded.bytes,
    ...(landingPage === undefined ? {} : { landingPage }),
    collections: reports,
  };
}

function deadlineOf({ upstreamMs, signal }: ExaminationOptions): AbortSignal {
  const time = AbortSignal.timeout(upstreamMs);
  return signal === undefined ? time : AbortSignal.any([signal, time]);
}

function placeOf({ name, title, url }: Upstream, { settings }: ExaminationOptions): UpstreamPlace {
  return { name, settings, host: url === undefined ? title : new URL(url).host };
}

/**
 * Reads the landing page of an upstream, and nothing else.
 *
 * @param upstream has an address and is opened.
 */
export async function examineLandingPage(upstream: Upstream, options: ExaminationOptions): Promise<StepReport> {
  const bounded = boundedFetch(LANDING_REQUESTS, options.fetch);
  const opened = await upstream.open?.(bounded.fetch);
  if (opened === undefined) return skipped("landing-page", "Nothing of it is tried.");
  return askLandingPage(opened, placeOf(upstream, options), { ...options, bounded, deadline: deadlineOf(options) });
}

async function askLandingPage(
  { catalog }: Pick<Opened, "catalog">,
  place: UpstreamPlace,
  examination: Examination,
): Promise<StepReport> {
  const { report } = await takeStep(examination, {
    step: "landing-page",
    requests: LANDING_REQUESTS,
    attempt: (signal) => catalog.ping({ signal }),
    words: (error) => upstreamWords(error, place),
  });
  return report;
}

type Firsts = ReadonlyMap<string, CollectionExamination>;

/**
 * First what everything hangs on, of each collection: a search. Then an item and a second page, once; then files. Where
 * requests are left, further items and second pages.
 */
async function examineAll(
  all: readonly CollectionExamination[],
  bounded: BoundedFetch,
  isLandingPageMissing: boolean,
): Promise<CollectionReport[]> {
  const firsts = new Map<string, CollectionExamination>();
  let isDown = false;
  for (const [i, each] of all.entries()) {
    if (isDown) continue;
    await each.search();
    isDown = i === 0 && isLandingPageMissing && each.steps.get("search")?.status === "failed";
    const key = keyOf(each);
    if (each.steps.get("search")?.status === "ok" && !firsts.has(key)) firsts.set(key, each);
  }
  const asked = [...firsts.values()];
  const shown: Shown = { item: asked[0], "second-page": asked.find(({ hasNext }) => hasNext) ?? asked[0] };
  await shown.item?.item();
  await shown["second-page"]?.secondPage();
  for (const each of asked) await each.file();
  for (const each of asked) {
    if (bounded.left > 0 && each !== shown.item) await each.item();
    if ((bounded.left > 0 || !each.hasNext) && each !== shown["second-page"]) await each.secondPage();
  }
  return all.map((each) => reportOf(each, firsts, shown, isDown));
}

/** The collections whose item and second page stand for those of others. */
type Shown = Readonly<Record<"item" | "second-page", CollectionExamination | undefined>>;

const keyOf = ({ collection }: CollectionExamination): string => upstreamCollections(collection.upstream).join();

function reportOf(each: CollectionExamination, firsts: Firsts, shown: Shown, isDown: boolean): CollectionReport {
  const { collection, steps } = each;
  const isFound = steps.get("search")?.status === "ok";
  const stepOf = (step: StepName): StepReport => {
    const own = steps.get(step);
    if (own !== undefined) return own;
    const others = [firsts.get(keyOf(each)), step === "item" || step === "second-page" ? shown[step] : undefined];
    const other = isFound ? others.find((one) => one?.steps.has(step)) : undefined;
    const report = other?.steps.get(step);
    if (other === undefined || report === undefined) {
      return skipped(step, isDown ? DOWN : "The search has given no item.");
    }
    return { ...report, requests: 0, ms: 0, bytes: 0, sameAs: other.collection.id };
  };
  return {
    id: collection.id,
    upstreamCollections: [...upstreamCollections(collection.upstream)],
    steps: STEPS.map(stepOf),
  };
}
