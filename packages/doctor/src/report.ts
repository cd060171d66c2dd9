import { z } from "zod";

/**
 * The steps that are tried for each collection, in this order; of an upstream without collections the landing page
 * alone.
 */
export const STEPS = ["search", "second-page", "item", "bands", "header", "block"] as const;

const Step = z.strictObject({
  step: z.enum(["landing-page", ...STEPS]),
  /** `skipped`: was not asked, `detail` says why. */
  status: z.enum(["ok", "failed", "skipped"]),
  requests: z.int().min(0),
  ms: z.int().min(0),
  /** Bytes of answers, after decompression. */
  bytes: z.int().min(0),
  /** The finding of an `ok`, where that is more than an answer. */
  found: z.string().optional(),
  /**
   * The collection whose step this is too: both come from the same upstream collection; of items and second pages also from
   * the same upstream, where its requests are spent.
   */
  sameAs: z.string().optional(),
  /** Description of the fault. */
  detail: z.string().optional(),
  /** Advice for the owner. */
  advice: z.string().optional(),
});

const CollectionReport = z.strictObject({
  id: z.string(),
  /** Its names at the upstream. */
  upstreamCollections: z.array(z.string()),
  steps: z.array(Step),
});

const UpstreamReport = z.strictObject({
  name: z.string(),
  /** The kind of upstream, in words. */
  title: z.string(),
  /** Its address without user, password and query; absent for an archive on this machine. */
  url: z.string().optional(),
  status: z.enum(["ok", "failing"]),
  requests: z.int().min(0),
  ms: z.int().min(0),
  bytes: z.int().min(0),
  landingPage: Step.optional(),
  collections: z.array(CollectionReport),
});

/** The findings of an examination, as JSON. */
export const DoctorReport = z.strictObject({
  /** `failing`: something that was asked for does not work. */
  status: z.enum(["ok", "failing"]),
  checked: z.iso.datetime(),
  ms: z.int().min(0),
  upstreams: z.array(UpstreamReport),
  /** Collections that were asked for and that no upstream of the service has. */
  absent: z.array(z.strictObject({ name: z.string(), detail: z.string(), advice: z.string() })),
});

/** The report of all upstreams that were tried. */
export type DoctorReport = z.infer<typeof DoctorReport>;
/** The report of one upstream and its collections. */
export type UpstreamReport = z.infer<typeof UpstreamReport>;
/** The report of one collection, step by step. */
export type CollectionReport = z.infer<typeof CollectionReport>;
/** The outcome of one step. */
export type StepReport = z.infer<typeof Step>;
/** Names of the steps, in the order in which they are taken. */
export type StepName = StepReport["step"];
