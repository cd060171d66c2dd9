import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { DEFAULT_LIMITS, GUEST_UNITS_DAY, type LimitSettings, SANDBOX_LIMITS } from "@swath/accounts";
import type { S3Settings } from "@swath/engine";
import { zodMessage } from "@swath/problem";
import { z } from "zod";
import type { SpendingBounds } from "../spending/state.ts";
import { type AccountSettings, accountSettings, isMailFrom, parseOrigin } from "./account-settings.ts";
import { parseSmtpUrl } from "./smtp-url.ts";
import { STORAGE_VARIABLES, type StorageSettings, storageSettings } from "./storage-settings.ts";

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
  SWATH_WARM_UP: z.enum(["on", "off"]).default("on"),
  SWATH_LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  ...STORAGE_VARIABLES,
});

/** Names of the variables that the service reads. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(Variables.shape);

/** Variables whose values are not repeated in messages. */
const SECRET =
  /^(DATABASE_URL|SWATH_API_KEYS|SWATH_SMTP_URL|SWATH_S3_KEYS|EARTHDATA_TOKEN|(AWS|SWATH_RESULTS)_(ACCESS_KEY_ID|SECRET_ACCESS_KEY)|AWS_SESSION_TOKEN)$/;

/** The settings of a deployment: read once at start from the environment. Sizes are in bytes. */
export interface Environment {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** PostgreSQL for the state of many nodes; absent: a file in `dataDir`. */
  readonly databaseUrl?: string;
  readonly publicUrl?: string;
  /** The upstream called `default`; absent: the synthetic archive. */
  readonly upstreamUrl?: string;
  /** Further upstreams: address by name. */
  readonly upstreams: Readonly<Record<string, string>>;
  /** Ids of the kinds of those upstreams that are not of the kind of their host, by name. */
  readonly upstreamKinds: Readonly<Record<string, string>>;
  /** Bearer token of NASA Earthdata, for files of the upstream called `lpcloud`. */
  readonly earthdataToken?: string;
  /** Folder of collection files of one's own. */
  readonly collectionsDir?: string;
  /** A folder of files of one's own, or a document of one; absent: none. */
  readonly archive?: {
    readonly path: string;
    /** Seconds between two looks at it; 0: it is looked at when the service starts and when it is told to. */
    readonly pollSeconds: number;
  };
  readonly assetHosts: readonly string[];
  /** Host names that the legacy hosts answer to, besides their mounts. */
  readonly legacyHosts: { readonly stac?: string; readonly tiles?: string };
  readonly apiKeys: readonly string[];
  readonly limits: LimitSettings;
  /** The role of this process: answer requests, carry out jobs, or both. */
  readonly role: "all" | "api" | "worker";
  /** The place of output files; without `url` the data directory. */
  readonly results: { readonly url?: string; readonly isPublic: boolean; readonly s3: S3Settings };
  /** The bounds of a month's costs of reading from paid buckets. */
  readonly spending: SpendingBounds;
  /** Address at which Prometheus reads; absent: none. */
  readonly metrics?: { readonly host: string; readonly port: number };
  /** Address at which a supervisor asks whether the process lives and is ready, in each role; absent: none. */
  readonly probes?: { readonly host: string; readonly port: number };
  /** The profile that is served: the full contract, or lean v1. */
  readonly profile: "full" | "lean";
  /** Whether callers without a key or token may search and see finished images; in the full profile alone. */
  readonly takesAnonymous: boolean;
  /** Settings by which people get accounts; absent: keys of the owner alone. */
  readonly accounts?: AccountSettings;
  /** Prefix of self-service keys, before `_`. */
  readonly keyPrefix: string;
  /** Origins of the website; none: the service's own. */
  readonly siteOrigins: readonly string[];
  /** Units that all guests together spend in a day. */
  readonly guestUnitsDay: number;
  /** Count of proxies in front that are believed for the client's address. */
  readonly trustedProxies: number;
  readonly workers: number;
  readonly blockCacheBytes: number;
  readonly tileCacheBytes: number;
  /** Whether idle render threads render synthetic tiles after the start, so that their code is compiled. */
  readonly warmsUp: boolean;
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "silent";
  /** Region, endpoint and keys of `s3://` files of archives. */
  readonly s3: S3Settings;
}

/** Variables that cannot be used; each of `faults` is one line that names one, and `message` all of them in one. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
  readonly faults: readonly string[];

  constructor(faults: string | readonly string[], options?: ErrorOptions) {
    const lines = typeof faults === "string" ? [faults] : faults;
    super(lines.join("; "), options);
    this.faults = lines;
  }
}

/** Reads settings that several variables make together; a misfit is one line. */
function together<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new EnvironmentError(error.message, { cause: error });
    throw error;
  }
}

/**
 * Reads the service's environment variables.
 *
 * @throws {EnvironmentError} naming each variable whose value cannot be used.
 */
export function parseEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const present = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Variables.safeParse(present, { error: zodMessage });
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      // the line goes to logs
      const message = issue.message.replace(/\.$/, "");
      return SECRET.test(name) ? `${name}: ${message}` : `${name}="${present[name] ?? ""}": ${message}`;
    });
    throw new EnvironmentError(faults);
  }
  const v = parsed.data;
  if (v.SWATH_ARCHIVE !== undefined && Object.hasOwn(v.SWATH_UPSTREAMS, "archive")) {
    throw new EnvironmentError('SWATH_UPSTREAMS: "archive" is the folder of SWATH_ARCHIVE: expected another name');
  }
  const storage: StorageSettings = together(() => storageSettings(v));
  const accounts: AccountSettings | undefined = together(() => accountSettings(v));
  const isSandbox = v.SWATH_UPSTREAM_URL === undefined && v.SWATH_ARCHIVE === undefined;
  const limits = isSandbox ? SANDBOX_LIMITS : DEFAULT_LIMITS;
  return {
    port: v.PORT,
    host: v.HOST,
    dataDir: v.SWATH_DATA_DIR,
    ...(v.DATABASE_URL === undefined ? {} : { databaseUrl: v.DATABASE_URL }),
    ...(v.SWATH_PUBLIC_URL === undefined ? {} : { publicUrl: v.SWATH_PUBLIC_URL }),
    ...(v.SWATH_UPSTREAM_URL === undefined ? {} : { upstreamUrl: v.SWATH_UPSTREAM_URL }),
    upstreams: Object.fromEntries([...v.SWATH_UPSTREAMS].map(([name, { url }]) => [name, url])),
    upstreamKinds: Object.fromEntries(
      [...v.SWATH_UPSTREAMS].flatMap(([name, { kind }]) => (kind === undefined ? [] : [[name, kind]])),
    ),
    ...(v.EARTHDATA_TOKEN === undefined ? {} : { earthdataToken: v.EARTHDATA_TOKEN }),
    ...(v.SWATH_COLLECTIONS_DIR === undefined ? {} : { collectionsDir: v.SWATH_COLLECTIONS_DIR }),
    ...(v.SWATH_ARCHIVE === undefined
      ? {}
      : { archive: { path: v.SWATH_ARCHIVE, pollSeconds: v.SWATH_ARCHIVE_POLL_S } }),
    assetHosts: v.SWATH_ASSET_HOSTS,
    legacyHosts: {
      ...(v.SWATH_LEGACY_STAC_HOST === undefined ? {} : { stac: v.SWATH_LEGACY_STAC_HOST }),
      ...(v.SWATH_LEGACY_TILES_HOST === undefined ? {} : { tiles: v.SWATH_LEGACY_TILES_HOST }),
    },
    apiKeys: v.SWATH_API_KEYS,
    limits: {
      key: {
        perSecond: v.SWATH_LIMIT_KEY_RPS ?? limits.key.perSecond,
        burst: v.SWATH_LIMIT_KEY_BURST ?? limits.key.burst,
      },
      service: {
        perSecond: v.SWATH_LIMIT_SERVICE_RPS ?? limits.service.perSecond,
        burst: v.SWATH_LIMIT_SERVICE_BURST ?? limits.service.burst,
      },
      keyMonthly: v.SWATH_LIMIT_KEY_MONTHLY ?? limits.keyMonthly,
    },
    role: v.SWATH_ROLE,
    results: {
      ...(v.SWATH_RESULTS_URL === undefined ? {} : { url: v.SWATH_RESULTS_URL }),
      isPublic: v.SWATH_RESULTS_PUBLIC === "true",
      s3: storage.results,
    },
    spending: {
      ...(v.SWATH_SPENDING_MAX_REQUESTS === undefined ? {} : { maxRequests: v.SWATH_SPENDING_MAX_REQUESTS }),
      ...(v.SWATH_SPENDING_MAX_GB === undefined ? {} : { maxBytes: v.SWATH_SPENDING_MAX_GB * 1e9 }),
    },
    ...(v.SWATH_METRICS_PORT === undefined
      ? {}
      : { metrics: { host: v.SWATH_METRICS_HOST, port: v.SWATH_METRICS_PORT } }),
    ...(v.SWATH_HEALTH_PORT === undefined ? {} : { probes: { host: v.SWATH_HEALTH_HOST, port: v.SWATH_HEALTH_PORT } }),
    profile: v.SWATH_PROFILE,
    takesAnonymous: v.SWATH_ANONYMOUS === "on",
    ...(accounts === undefined ? {} : { accounts }),
    keyPrefix: v.SWATH_KEY_PREFIX,
    siteOrigins: v.SWATH_SITE_ORIGINS,
    guestUnitsDay: v.SWATH_GUEST_UNITS_DAY,
    trustedProxies: v.SWATH_TRUST_PROXY,
    workers: v.SWATH_WORKERS,
    warmsUp: v.SWATH_WARM_UP === "on",
    blockCacheBytes: v.SWATH_BLOCK_CACHE_MB * 1_048_576,
    tileCacheBytes: v.SWATH_TILE_CACHE_MB * 1_048_576,
    logLevel: v.SWATH_LOG_LEVEL,
    s3: storage.files,
  };
}
