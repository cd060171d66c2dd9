import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { GUEST_UNITS_DAY } from "@swath/accounts";
import { zodMessage } from "@swath/problem";
import { MAX_JOB_SLOTS } from "@swath/store/jobs";
import { z } from "zod";
import { isMailFrom, parseOrigin } from "./account-settings.ts";
import { parseBaseMap } from "./base-map.ts";
import { parseSmtpUrl } from "./smtp-url.ts";
import { STORAGE_VARIABLES } from "./storage-settings.ts";

const whole = (fallback: number, minimum = 0) => z.coerce.number().int().min(minimum).default(fallback);
const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  );
const rate = z.coerce.number().positive().max(1_000_000).optional();
const count = (minimum: number) => z.coerce.number().int().min(minimum).optional();
const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));

const hostName = z
  .string()
  .regex(/^[a-z0-9.-]+(:\d{1,5})?$/i, "Expected a host name, with a port where it has one of its own")
  .optional();

/** `name=https://…,name:kind=https://…`, by name. */
const upstreams = list.transform((entries, context) => {
  const found = new Map<string, { readonly url: string; readonly kind?: string }>();
  for (const entry of entries) {
    const [, name = "", kind, address = ""] =
      /^([a-z][a-z0-9-]{0,31})(?::([a-z][a-z0-9-]{0,31}))?=(.+)$/.exec(entry) ?? [];
    const url = httpUrl.safeParse(address);
    if (name === "default") context.addIssue('"default" is the upstream of SWATH_UPSTREAM_URL: expected another name');
    else if (name === "" || !url.success)
      context.addIssue(`Expected name=https://address or name:kind=https://address, got "${entry}"`);
    else if (found.has(name)) context.addIssue(`Expected each name once, got "${name}" twice`);
    else found.set(name, { url: url.data, ...(kind === undefined ? {} : { kind }) });
  }
  return found;
});

const origins = list.transform((entries, context) =>
  entries.map((entry) => {
    const origin = parseOrigin(entry);
    if (origin === undefined) context.addIssue(`Expected origins such as https://maps.example, got "${entry}"`);
    return origin ?? "";
  }),
);

const smtpUrl = z
  .string()
  .transform((text, context) => {
    const server = parseSmtpUrl(text);
    if (server === undefined) context.addIssue("Expected smtp://user:password@host:port or smtps://...");
    return server ?? z.NEVER;
  })
  .optional();

const baseMap = z
  .string()
  .transform((text, context) => {
    try {
      return parseBaseMap(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      context.addIssue(error.message);
      return z.NEVER;
    }
  })
  .optional();

/** Every variable the service reads, with its default. An empty variable counts as absent. */
const Variables = z.object({
  PORT: whole(8080).pipe(z.number().max(65_535)),
  HOST: z.string().default("127.0.0.1"),
  SWATH_DATA_DIR: z
    .string()
    .default("./data")
    .transform((path) => resolve(path)),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "Expected postgres://..." }).optional(),
  SWATH_PUBLIC_URL: httpUrl.optional(),
  SWATH_UPSTREAM_URL: httpUrl.optional(),
  SWATH_UPSTREAMS: upstreams,
  EARTHDATA_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "Expected a token without spaces")
    .optional(),
  SWATH_COLLECTIONS_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  SWATH_ARCHIVE: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  SWATH_ARCHIVE_POLL_S: whole(60).pipe(z.number().max(86_400)),
  SWATH_ASSET_HOSTS: list,
  SWATH_LEGACY_STAC_HOST: hostName,
  SWATH_LEGACY_TILES_HOST: hostName,
  SWATH_API_KEYS: list,
  SWATH_LIMIT_KEY_RPS: rate,
  SWATH_LIMIT_KEY_BURST: count(1),
  SWATH_LIMIT_KEY_MONTHLY: count(0),
  SWATH_LIMIT_SERVICE_RPS: rate,
  SWATH_LIMIT_SERVICE_BURST: count(1),
  SWATH_ROLE: z.enum(["all", "api", "worker"]).default("all"),
  SWATH_JOB_SLOTS: whole(4, 1).pipe(z.number().max(MAX_JOB_SLOTS)),
  SWATH_WORKER_JOBS: whole(4, 1).pipe(z.number().max(MAX_JOB_SLOTS)),
  SWATH_JOB_PART_VALUES: z.coerce.number().int().min(1).optional(),
  SWATH_RESULTS_PUBLIC: z.enum(["true", "false"]).default("false"),
  SWATH_SPENDING_MAX_REQUESTS: z.coerce.number().int().min(1).optional(),
  SWATH_SPENDING_MAX_GB: z.coerce.number().positive().optional(),
  SWATH_METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  SWATH_METRICS_HOST: z.string().default("127.0.0.1"),
  SWATH_HEALTH_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  SWATH_HEALTH_HOST: z.string().default("127.0.0.1"),
  SWATH_PROFILE: z.enum(["full", "lean"]).default("full"),
  SWATH_ANONYMOUS: z.enum(["on", "off"]).default("on"),
  SWATH_ACCOUNTS: z.enum(["on", "off"]).optional(),
  SWATH_KEY_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9]{1,15}$/, "Expected 2 to 16 letters and digits, lower case, a letter first")
    .default("swath"),
  SWATH_SMTP_URL: smtpUrl,
  SWATH_MAIL_FROM: z.string().refine(isMailFrom, "Expected an address, or a name and an address in <>").optional(),
  SWATH_SITE_ORIGINS: origins,
  SWATH_GUEST_UNITS_DAY: z.coerce.number().min(0).max(1e9).default(GUEST_UNITS_DAY),
  SWATH_TRUST_PROXY: whole(0).pipe(z.number().max(16)),
  SWATH_WORKERS: whole(availableParallelism(), 0).pipe(z.number().max(256)),
  SWATH_BLOCK_CACHE_MB: whole(512, 1),
  SWATH_TILE_CACHE_MB: whole(128, 0),
  SWATH_SHARED_IMAGES: z.enum(["on", "off"]).default("off"),
  SWATH_SHARED_IMAGES_GB: z.coerce.number().positive().max(100_000).default(10),
  SWATH_SHARED_IMAGES_DAYS: z.coerce.number().positive().max(365).default(7),
  SWATH_SHARED_IMAGES_MS: whole(100, 1).pipe(z.number().max(5000)),
  SWATH_LOW_ZOOM: z.enum(["on", "off"]).default("off"),
  SWATH_WARM_UP: z.enum(["on", "off"]).default("on"),
  SWATH_BASEMAP: baseMap,
  SWATH_BASEMAP_CREDIT: z.string().max(300).optional(),
  SWATH_VERIFY_PLAIN_HTTP: z.enum(["on", "off"]).default("off"),
  SWATH_TRACE_HOSTS: list,
  SWATH_LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).optional(),
  SWATH_LOG_FORMAT: z.enum(["text", "json"]).optional(),
  ...STORAGE_VARIABLES,
});

/** Names of the variables that the service reads. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(Variables.shape);

/** Variables whose values are not repeated in messages. */
const SECRET =
  /^(DATABASE_URL|SWATH_API_KEYS|SWATH_SMTP_URL|SWATH_S3_KEYS|EARTHDATA_TOKEN|(AWS|SWATH_RESULTS)_(ACCESS_KEY_ID|SECRET_ACCESS_KEY)|AWS_SESSION_TOKEN)$/;

/** Values of the variables, each read by its form. */
export type VariableValues = z.infer<typeof Variables>;

/** Reads each variable by its form, an empty one as absent; `faults` has one line for each that cannot be used. */
export function readVariables(
  variables: Readonly<Record<string, string | undefined>>,
): { readonly values: VariableValues } | { readonly faults: readonly string[] } {
  const present = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Variables.safeParse(present, { error: zodMessage });
  if (parsed.success) return { values: parsed.data };
  const faults = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    // the line goes to logs, and has the text beside the name: NaN is what a number of a word is
    const message = issue.message.replace(/(, got NaN)?\.$/, "");
    return SECRET.test(name) ? `${name}: ${message}` : `${name}="${present[name] ?? ""}": ${message}`;
  });
  return { faults };
}
