import { DEFAULT_LIMITS, type LimitSettings } from "@swath/accounts";
import type { SpendingBounds } from "@swath/accounts/owner";
import type { S3Settings } from "@swath/engine/files";
import { type AccountSettings, accountSettings } from "./account-settings.ts";
import { type BaseMap, baseMapOf } from "./base-map.ts";
import { type StorageSettings, storageSettings } from "./storage-settings.ts";
import { readVariables, type VariableValues } from "./variables.ts";

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
  /** Background jobs that run at once: in the whole service, and in this process. */
  readonly jobs: {
    readonly slots: number;
    readonly perProcess: number;
    /** Values (pixels × bands) of a part of a large file; absent: one node makes the whole. */
    readonly partValues?: number;
  };
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
  /** The base map of the map page; absent: its own. */
  readonly baseMap?: BaseMap;
  /** Origins of the website; none: the service's own. */
  readonly siteOrigins: readonly string[];
  /** Units that all guests together spend in a day. */
  readonly guestUnitsDay: number;
  /** Count of proxies in front that are believed for the client's address. */
  readonly trustedProxies: number;
  readonly workers: number;
  readonly blockCacheBytes: number;
  readonly tileCacheBytes: number;
  /** Bounds of the finished images that nodes share beside results, and of the time of a look-up; absent: they share none. */
  readonly sharedImages?: { readonly maxBytes: number; readonly days: number; readonly lookUpMs: number };
  /** Whether tiles of presets begin at zoom 0, made of those below them and kept among the images that nodes share. */
  readonly lowZooms: boolean;
  /** Whether idle render threads render synthetic tiles after the start, so that their code is compiled. */
  readonly warmsUp: boolean;
  /** Whether bytes of files without a checksum are read twice by plain HTTP, and compared. */
  readonly verifyPlainHttp: boolean;
  /** Hosts of upstreams that are told the trace of a request. */
  readonly traceHosts: readonly string[];
  /** Level from which lines are logged; by default `warn` on a terminal, else `info`. */
  readonly logLevel?: "trace" | "debug" | "info" | "warn" | "error" | "silent";
  /** Form of the log; by default text on a terminal, else JSON. */
  readonly logFormat?: "text" | "json";
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
  const read = readVariables(variables);
  if ("faults" in read) throw new EnvironmentError(read.faults);
  const v = read.values;
  if (v.SWATH_ARCHIVE !== undefined && Object.hasOwn(v.SWATH_UPSTREAMS, "archive")) {
    throw new EnvironmentError('SWATH_UPSTREAMS: "archive" is the folder of SWATH_ARCHIVE: expected another name');
  }
  if (v.SWATH_LOW_ZOOM === "on" && v.SWATH_SHARED_IMAGES === "off") {
    throw new EnvironmentError(
      "SWATH_LOW_ZOOM: tiles of low zooms are kept among shared images: set SWATH_SHARED_IMAGES=on",
    );
  }
  if (v.SWATH_JOB_PART_VALUES !== undefined && v.DATABASE_URL === undefined) {
    throw new EnvironmentError("SWATH_JOB_PART_VALUES: parts of jobs are handed out by PostgreSQL: set DATABASE_URL");
  }
  const storage: StorageSettings = together(() => storageSettings(v));
  const accounts: AccountSettings | undefined = together(() => accountSettings(v));
  const baseMap: BaseMap | undefined = together(() => baseMapOf(v));
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
    limits: limitsOf(v),
    role: v.SWATH_ROLE,
    jobs: {
      slots: v.SWATH_JOB_SLOTS,
      perProcess: Math.min(v.SWATH_WORKER_JOBS, v.SWATH_JOB_SLOTS),
      ...(v.SWATH_JOB_PART_VALUES === undefined ? {} : { partValues: v.SWATH_JOB_PART_VALUES }),
    },
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
    ...(baseMap === undefined ? {} : { baseMap }),
    siteOrigins: v.SWATH_SITE_ORIGINS,
    guestUnitsDay: v.SWATH_GUEST_UNITS_DAY,
    trustedProxies: v.SWATH_TRUST_PROXY,
    workers: v.SWATH_WORKERS,
    warmsUp: v.SWATH_WARM_UP === "on",
    verifyPlainHttp: v.SWATH_VERIFY_PLAIN_HTTP === "on",
    blockCacheBytes: v.SWATH_BLOCK_CACHE_MB * 1_048_576,
    ...(v.SWATH_SHARED_IMAGES === "off" ? {} : { sharedImages: sharedImagesOf(v) }),
    lowZooms: v.SWATH_LOW_ZOOM === "on",
    tileCacheBytes: v.SWATH_TILE_CACHE_MB * 1_048_576,
    traceHosts: v.SWATH_TRACE_HOSTS,
    ...(v.SWATH_LOG_LEVEL === undefined ? {} : { logLevel: v.SWATH_LOG_LEVEL }),
    ...(v.SWATH_LOG_FORMAT === undefined ? {} : { logFormat: v.SWATH_LOG_FORMAT }),
    s3: storage.files,
  };
}

function sharedImagesOf(v: VariableValues): NonNullable<Environment["sharedImages"]> {
  const { SWATH_SHARED_IMAGES_GB: gigabytes, SWATH_SHARED_IMAGES_DAYS: days, SWATH_SHARED_IMAGES_MS: lookUpMs } = v;
  return { maxBytes: gigabytes * 1e9, days, lookUpMs };
}

/**
 * Limits where the embedded archive is served and no limit is named: it is there to be tried out, by tests of whole APIs too
 * (stac-api-validator asks as fast as it is answered), and costs nobody anything.
 */
const SANDBOX_LIMITS: LimitSettings = {
  key: { perSecond: 1000, burst: 2000 },
  service: { perSecond: 2000, burst: 4000 },
  keyMonthly: 100_000_000,
};

/** Returns the limits of keys; by default those of the synthetic archive where that is what is served. */
function limitsOf(v: VariableValues): LimitSettings {
  const isSandbox = v.SWATH_UPSTREAM_URL === undefined && v.SWATH_ARCHIVE === undefined;
  const { key, service, keyMonthly } = isSandbox ? SANDBOX_LIMITS : DEFAULT_LIMITS;
  return {
    key: { perSecond: v.SWATH_LIMIT_KEY_RPS ?? key.perSecond, burst: v.SWATH_LIMIT_KEY_BURST ?? key.burst },
    service: {
      perSecond: v.SWATH_LIMIT_SERVICE_RPS ?? service.perSecond,
      burst: v.SWATH_LIMIT_SERVICE_BURST ?? service.burst,
    },
    keyMonthly: v.SWATH_LIMIT_KEY_MONTHLY ?? keyMonthly,
  };
}
