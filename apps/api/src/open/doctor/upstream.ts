import type { Catalog } from "@swath/catalog";
import type { CredentialName } from "@swath/engine";
import type { SourceFor } from "@swath/engine/node";
import { type CollectionSchema, upstreamCollections } from "@swath/schema";
import type { BoundedFetch } from "./bounded-fetch.ts";
import { CollectionExamination } from "./collection.ts";
import { type PlainText, plainUrl } from "./plain-text.ts";
import { type CollectionReport, STEPS, type StepName, type StepReport, type UpstreamReport } from "./report.ts";
import { type Examination, skipped, takeStep } from "./step.ts";
import { upstreamWords } from "./words.ts";

/** An upstream with the collections that are examined there. */
export interface UpstreamTarget {
  readonly name: string;
  /** The kind of upstream, in words. */
  readonly title: string;
  /** Absent: the synthetic archive, on this machine. */
  readonly url?: string;
  readonly catalog: Catalog;
  readonly sourceFor: SourceFor;
  /** The fetch by which catalog and sources send their requests. */
  readonly bounded: BoundedFetch;
  readonly collections: readonly CollectionSchema[];
  readonly credentialDetail: (credential: CredentialName) => string | undefined;
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
  readonly plain: PlainText;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

const DOWN = "Neither the landing page nor a search was answered before.";
const LANDING_REQUESTS = 2;

/**
 * Examines an upstream, one request after the other. What several collections take from the same upstream collection is
 * asked once.
 */
export async function examineUpstream(target: UpstreamTarget, options: ExaminationOptions): Promise<UpstreamReport> {
  const { name, title, url, bounded, collections } = target;
  const started = options.now();
  const time = AbortSignal.timeout(options.upstreamMs);
  const deadline = options.signal === undefined ? time : AbortSignal.any([options.signal, time]);
  const examination: Examination = { ...options, bounded, deadline };
  const landingPage = url === undefined ? undefined : await readLandingPage(target, examination);
  const place = { name, host: url === undefined ? "the synthetic archive" : new URL(url).host };
  const examined = collections.map((each) => new CollectionExamination(each, { ...examination, ...target, place }));
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

/** Reads the landing page of an upstream. */
export async function readLandingPage(
  { name, url = "", catalog }: Pick<UpstreamTarget, "name" | "url" | "catalog">,
  examination: Examination,
): Promise<StepReport> {
  const { report } = await takeStep(examination, {
    step: "landing-page",
    requests: LANDING_REQUESTS,
    attempt: (signal) => catalog.ping({ signal }),
    words: (error) => upstreamWords(error, { name, host: new URL(url).host }),
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
