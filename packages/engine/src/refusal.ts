/** The path of a member in a {@link Request}: `["where", "bbox"]`, `["what", "bands", 0]`. */
export type Path = readonly (string | number)[];

/** The reason why a request cannot be carried out. */
export type RefusalCode =
  /** A member is malformed, contradicts another one or is missing. */
  | "invalid"
  | "unknown-collection"
  | "unknown-band"
  | "units-unavailable"
  | "harmonize-unavailable"
  /** A process graph that cannot be compiled. */
  | "invalid-process-graph"
  /** Nothing has this name or id, or no scene matches. */
  | "not-found"
  | "zoom-out-of-range"
  | "pixel-too-large"
  | "area-too-large"
  | "output-too-large"
  | "too-many-scenes"
  | "budget-exceeded"
  /** A catalog or an archive does not answer, or lacks what it should have. */
  | "upstream-unavailable"
  /** The signal ended the work. */
  | "render-timeout";

/** One fault within a request. */
export interface Fault {
  readonly path: Path;
  /** The expectation and the given value, as a sentence. */
  readonly detail: string;
  /** Id of the scene that it is of. */
  readonly scene?: string;
}

/** Facts that a refusal may carry besides its code, path and detail. */
export interface RefusalOptions {
  /** The limit that was hit beside the value that was asked for: `{ maxScenes: 6, matchedScenes: 9 }`. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Each fault of several; absent: the refusal is of one. */
  readonly faults?: readonly Fault[];
  /** Seconds after which the same request may be carried out. */
  readonly retryAfter?: number;
  /** Further facts, such as `unitsEstimated`. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * Thrown for a request that cannot be carried out. It names the place in the {@link Request}; who made the
 * request knows what that is called where it came from.
 *
 * @example throw new Refusal("zoom-out-of-range", ["where", "z"], "Expected a zoom from 7 to 14, got 3.", { limits: { minzoom: 7, maxzoom: 14, requestedZoom: 3 } });
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  /** Empty: the fault is of no one member. */
  readonly path: Path;
  readonly limits: Readonly<Record<string, number>> | undefined;
  /** At least one, unless `path` is empty. */
  readonly faults: readonly Fault[];
  readonly retryAfter: number | undefined;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: RefusalCode, path: Path, detail: string, options: RefusalOptions = {}) {
    super(detail, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.path = path;
    this.limits = options.limits && finite(options.limits);
    this.faults = options.faults ?? (path.length === 0 ? [] : [{ path, detail }]);
    this.retryAfter = options.retryAfter;
    this.facts = options.facts ?? {};
  }

  /** The expectation and the given value; the same text as `message`. */
  get detail(): string {
    return this.message;
  }
}

/** Numbers that JSON has: a side of infinitely many pixels, which steps near 0 ask for, is the largest double. */
function finite(limits: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const most = Number.MAX_VALUE;
  return Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [name, Math.min(most, Math.max(-most, value))]),
  );
}

/** @throws {Refusal} of these faults, of which the first gives the path; not of none. */
export function refuseAny(code: RefusalCode, faults: readonly Fault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  throw new Refusal(code, first.path, faults.map(({ detail }) => detail).join(" "), { faults });
}
