import { ARCHIVE } from "@swath/archive";
import { openArchive } from "@swath/catalog/node";
import type { CredentialName } from "@swath/engine";
import { createSharedAccess } from "@swath/engine";
import { createSources, type SourceFor } from "@swath/engine/node";
import { type Fetch, Pace } from "@swath/http";
import { readArchiveInfo } from "@swath/sandbox/node";
import { archiveUpstreams, kindOf, type OpenedFiles } from "../collection-files.ts";
import type { Environment } from "../environment.ts";
import { createFileAccess } from "../file-access.ts";
import { openUpstream, upstreamsOf } from "../open-catalog.ts";
import { sandboxDirectory, sourceSettings } from "../open-renderer.ts";
import { type BoundedFetch, boundedFetch } from "./bounded-fetch.ts";
import { askedFor, upstreamNamesOf } from "./names.ts";
import { plainText } from "./plain-text.ts";
import type { DoctorReport, UpstreamReport } from "./report.ts";
import { type ExaminationLimits, type ExaminationOptions, examineUpstream, type UpstreamTarget } from "./upstream.ts";

const LIMITS: ExaminationLimits = { requests: 20, stepMs: 10_000, upstreamMs: 50_000 };
/** Another try tells a passing fault from one that stays. */
const RETRIES = 1;

/** The owner's folder: looking at it writes its index, and may take longer than a doctor may. */
const OWN_FOLDER: UpstreamReport = {
  ...{ name: ARCHIVE, title: "the owner's folder, which `npm run archive -- reindex` looks at" },
  ...{ status: "ok", requests: 0, ms: 0, bytes: 0, collections: [] },
};

export interface DoctorOptions {
  /** Upstreams and collections that are examined; none: all. */
  readonly names?: readonly string[];
  /** Default: the global one. */
  readonly fetch?: Fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly limits?: Partial<ExaminationLimits>;
  readonly signal?: AbortSignal;
}

/**
 * Examines the upstreams of a service side by side, with its own catalogs, sources of files, keys and paces: what
 * fails here fails there.
 *
 * @throws {UnknownNameError} for a name that nothing has.
 */
export async function examine(
  environment: Environment,
  files: OpenedFiles,
  {
    names = [],
    fetch = (...request) => globalThis.fetch(...request),
    now = Date.now,
    limits,
    signal,
  }: DoctorOptions = {},
): Promise<DoctorReport> {
  const started = now();
  const asked = askedFor(names, files, upstreamNamesOf(environment));
  const options: ExaminationOptions = { ...LIMITS, ...limits, plain: plainText(environment), now, signal };
  const examined = upstreamsOf(environment)
    .filter(({ name }) => asked.isAsked(name))
    .map(async ({ name, url }) => {
      const bounded = boundedFetch(options.requests, fetch, url);
      const kind = kindOf(environment, files.kinds, name, url);
      const catalog = openUpstream(
        environment,
        files,
        { name, url },
        {
          fetch: bounded.fetch,
          retries: RETRIES,
          // the pause that one upstream asks for must not outlast the examination
          pace: new Pace(kind.rate),
        },
      );
      const read = readerOf(environment, files, bounded, now);
      const target: UpstreamTarget = {
        name,
        url,
        title: kind.title,
        catalog,
        bounded,
        ...read,
        collections: asked.collectionsOf(name),
      };
      return examineUpstream(target, options);
    });
  const archived = archiveUpstreams(environment).flatMap((name) => asked.collectionsOf(name));
  const own =
    environment.upstreamUrl === undefined && archived.length > 0
      ? [examineSandbox(environment, files, archived, options)]
      : [];
  const folder = environment.archive !== undefined && asked.isAsked(ARCHIVE) ? [OWN_FOLDER] : [];
  const upstreams = await Promise.all([...own, ...examined, ...folder]);
  const isFailing = asked.absent.length > 0 || upstreams.some(({ status }) => status === "failing");
  return {
    status: isFailing ? "failing" : "ok",
    checked: new Date(started).toISOString(),
    ms: Math.max(0, Math.round(now() - started)),
    upstreams,
    absent: [...asked.absent],
  };
}

/** Makes a reader of files like the service's own, and messages about keys and tokens that do not work. */
function readerOf(
  environment: Environment,
  { registry }: OpenedFiles,
  { fetch }: BoundedFetch,
  now: () => number,
): { readonly sourceFor: SourceFor; readonly credentialDetail: (name: CredentialName) => string | undefined } {
  const settings = { ...sourceSettings(environment, registry), fetch };
  const access = createSharedAccess({ ...settings, now });
  const fileAccess = createFileAccess({ registry, environment, isRefused: access.isRefused, now });
  return {
    sourceFor: createSources(settings, access),
    credentialDetail: (name) => fileAccess.credentials().find(({ credential }) => credential === name)?.detail,
  };
}

/** The synthetic archive, which has neither landing page nor requests. */
async function examineSandbox(
  environment: Environment,
  files: OpenedFiles,
  collections: UpstreamTarget["collections"],
  options: ExaminationOptions,
): Promise<UpstreamReport> {
  const directory = sandboxDirectory(environment);
  const about = { name: "default", title: "the synthetic archive" };
  if ((await readArchiveInfo(directory)) === undefined) {
    // the first start makes it
    return {
      ...about,
      title: "the synthetic archive, which the first start makes",
      status: "ok",
      requests: 0,
      ms: 0,
      bytes: 0,
      collections: [],
    };
  }
  const registry = files.registry.withUpstreams(archiveUpstreams(environment));
  const bounded = boundedFetch(options.requests, () => Promise.reject(new TypeError("its files are on this machine")));
  const catalog = await openArchive(directory, { registry });
  const read = readerOf(environment, files, bounded, options.now);
  return examineUpstream({ ...about, catalog, bounded, ...read, collections }, options);
}
