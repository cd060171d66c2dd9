import { CatalogError } from "@swath/catalog";
import { CogError, type CogErrorCode } from "@swath/cog";
import { CredentialError, type CredentialName, credentialVariables, HostError } from "@swath/engine/files";
import { HttpError } from "@swath/http";
import { StacClientError } from "@swath/stac";

/** The fault, and the advice for the owner of the service. */
export interface Words {
  readonly detail: string;
  readonly advice: string;
}

/** The time of a step was over. */
export class StepTimeError extends Error {
  override readonly name = "StepTimeError";

  constructor(stepMs: number) {
    super(`No whole answer within ${stepMs / 1000} s.`);
  }
}

/** Names of a program's settings, as people give them: variables of its environment, or options. */
export interface SettingNames {
  /** The setting that holds the address of an upstream. */
  address(upstream: string): string;
  /** The setting that an upstream would be added by, with the beginning of its value. */
  newAddress(upstream: string): string;
  /** The place where the kind of an upstream is named, and its form. */
  readonly kind: string;
  /** The hosts that files may be read from. */
  readonly hosts: string;
}

/** An upstream, and where its settings are. */
export interface UpstreamPlace {
  readonly name: string;
  readonly host: string;
  readonly settings: SettingNames;
}

/** Statuses by which servers say that they want to know who asks. */
const WANTS_LOGIN: ReadonlySet<number> = new Set([401, 403, 407]);
const AGAIN = "Run the doctor again later.";

/** Explains a failed question to an upstream. @param lastStatus of the last answer, where the error has none */
export function upstreamWords(error: unknown, place: UpstreamPlace, lastStatus?: number): Words {
  const cause = error instanceof CatalogError ? error.cause : error;
  const isLate = error instanceof StepTimeError;
  const known = cause instanceof StacClientError ? cause : undefined;
  const { retryAfter } = known ?? {};
  const code = isLate ? "timeout" : known?.code;
  const isPaused = known?.cause instanceof HttpError && known.cause.code === "paused";
  const status = known?.status ?? (known?.cause === undefined || isLate ? undefined : lastStatus);
  const variable = place.settings.address(place.name);
  const detail = error instanceof Error ? error.message : String(error);
  const again = retryAfter === undefined ? "" : ` after ${retryAfter} s`;
  if (status === 429 || isPaused) {
    return {
      detail:
        status === 429
          ? `The upstream answered 429: it is asked too often${again === "" ? "" : `, and may be asked again${again}`}.`
          : detail,
      advice: `Wait, then run the doctor again. Where it stays so, other programs ask ${place.host} from this address too, or \`rate\` of its kind of upstream is too high.`,
    };
  }
  if (status !== undefined && status >= 500) {
    return {
      detail: `The upstream answered ${status}: it is down or overloaded.`,
      advice: `Nothing to mend here. ${AGAIN}`,
    };
  }
  if (status !== undefined && WANTS_LOGIN.has(status)) {
    return {
      detail,
      advice: `${place.host} does not let this service in. Look whether the address in ${variable} is the public API.`,
    };
  }
  switch (code) {
    case "timeout":
      return {
        detail,
        advice: `${place.host} is slow or does not answer, or something between it and here drops requests (proxy, firewall). ${AGAIN}`,
      };
    case "bad-answer":
    case "not-found":
    case "too-large":
      return {
        detail: code === "not-found" ? `The upstream answered ${status}: there is no such document.` : detail,
        advice: `Is the address in ${variable} the root of a STAC API, such as https://earth-search.aws.element84.com/v1? A page for people is none.`,
      };
    case "rejected":
      return {
        detail,
        advice: `The upstream is of another kind than its address says: name the kind in ${place.settings.kind}, or write one.`,
      };
    default:
      return {
        detail,
        advice: `Look whether the address in ${variable} is right, and whether this machine reaches ${place.host} (names, proxy, firewall).`,
      };
  }
}

/** Advises on a key or token of the service. */
export function credentialAdvice(credential: CredentialName): string {
  const variables = credentialVariables(credential).join(" and ");
  if (credential === "earthdata") {
    return `Make a token at https://urs.earthdata.nasa.gov (Generate Token, good for 60 days), put it into ${variables}, and start the service again.`;
  }
  if (credential === "aws") {
    return `Put keys of an AWS account into ${variables}: it pays for what is read of this bucket, and needs nothing but s3:GetObject.`;
  }
  return `Put the keys of this S3 service into ${variables}, as ${credential.slice("s3:".length)}=ID:SECRET.`;
}

const OTHER_FILE = "Ask the archive: its catalog and its files do not agree. Other items may be whole.";
const NO_RASTER =
  "The service reads GeoTIFF and JPEG 2000. Look whether `upstream.assets` of the collection file names the right files.";

/** Advice about a file that cannot be read. */
const FILE_ADVICE: Readonly<Record<CogErrorCode, string>> = {
  "not-found": OTHER_FILE,
  "not-a-tiff": NO_RASTER,
  "not-a-jp2": NO_RASTER,
  unsupported: NO_RASTER,
  corrupt: OTHER_FILE,
  "no-georeference": NO_RASTER,
  "too-large": NO_RASTER,
  "codec-unavailable": "Install the service again: a decoder of it is missing.",
  unavailable: `The host of the files is down, or cannot be reached from here. ${AGAIN}`,
  unauthorized:
    "The host wants a login or a signature: say which in `storage.servers` or `storage.buckets` of the collection file.",
  forbidden:
    "The host refuses this reader: see `storage.servers` and `storage.buckets` of the collection file (signed, requesterPays, keys, region).",
  "wrong-region":
    "Name the region of the bucket in `storage.buckets` of the collection file, or in AWS_REGION where no file names the bucket.",
  "range-ignored": "The host sends whole files and no parts of them: read the files from another one.",
  changed: "The file was replaced while it was read. Run the doctor again.",
};

/**
 * Explains why a file cannot be read.
 *
 * @param credentialDetail the service's message about a key or token, which may know more than the error does.
 */
export function fileWords(
  error: unknown,
  { hosts }: Pick<SettingNames, "hosts">,
  credentialDetail: (credential: CredentialName) => string | undefined = () => undefined,
): Words {
  if (error instanceof CredentialError) {
    const detail = credentialDetail(error.credential) ?? error.message;
    return { detail, advice: credentialAdvice(error.credential) };
  }
  if (error instanceof HostError) return { detail: error.message, advice: hostAdvice(error, hosts) };
  if (error instanceof CogError) return { detail: error.message, advice: FILE_ADVICE[error.code] };
  return { detail: error instanceof Error ? error.message : String(error), advice: FILE_ADVICE.unavailable };
}

function hostAdvice({ host, isPrivate, code }: HostError, hosts: string): string {
  if (isPrivate) return `If ${host} is yours, name it in ${hosts}, with all other hosts that files are read from.`;
  const member = code === "forbidden" ? "`redirectHosts` in `storage.servers`" : "`storage.hosts`";
  return `If you trust it, add ${host} to ${member} of the collection file, or to ${hosts} with all other hosts that files are read from.`;
}
