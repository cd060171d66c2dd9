import { Pace, type PaceLimits, paceState } from "@swath/http";
import { hashText } from "../hash-text.ts";
import type { BucketFacts, FileStorage, HostBounds, ServerFacts } from "./file-storage.ts";

/** Times of requests to file hosts, in memory that threads share: plain data, as render threads are started with. */
export interface PaceStates {
  /** By the name that facts have: hosts with bounds, and the pauses of others. */
  readonly named: Readonly<Record<string, BigInt64Array>>;
  /** Pauses of hosts of which nothing is known, by a hash of their names: two of them may share one. */
  readonly others: readonly BigInt64Array[];
  /** Threads that read files: each has its share of the requests at once. */
  readonly threads: number;
}

/** Hosts of which nothing is known are few: those that the owner allows. */
const OTHERS = 64;

/** Makes the memory for all hosts of which something is known, and for some others. */
export function paceStates({ buckets, servers }: FileStorage, threads: number): PaceStates {
  const bounded: (readonly [string, HostBounds])[] = [
    ...buckets.map((bucket) => [bucketName(bucket), bucket] as const),
    ...servers.map((server) => [server.host, server] as const),
  ];
  return {
    named: Object.fromEntries(bounded.map(([name, bounds]) => [name, paceState(limitsOf(bounds, threads))])),
    others: Array.from({ length: OTHERS }, () => paceState({})),
    threads,
  };
}

/** The paces of file hosts in this thread; other threads that have the same states keep the same times. */
export class HostPaces {
  readonly #states: PaceStates;
  readonly #paces = new Map<string, Pace>();

  constructor(states: PaceStates) {
    this.#states = states;
  }

  ofBucket(name: string, facts: BucketFacts | undefined): Pace {
    return facts === undefined ? this.#other(`s3://${name}`) : this.#named(bucketName(facts), facts);
  }

  ofServer({ host }: { readonly host: string }, facts: ServerFacts | undefined): Pace {
    return facts === undefined ? this.#other(host) : this.#named(facts.host, facts);
  }

  #named(name: string, bounds: HostBounds): Pace {
    return this.#pace(name, limitsOf(bounds, this.#states.threads), this.#states.named[name]);
  }

  #other(host: string): Pace {
    const at = hashText(host) % this.#states.others.length;
    return this.#pace(`other ${at}`, {}, this.#states.others[at]);
  }

  #pace(key: string, limits: PaceLimits, state: BigInt64Array | undefined): Pace {
    const known = this.#paces.get(key);
    if (known !== undefined) return known;
    const pace = new Pace(limits, { state });
    this.#paces.set(key, pace);
    return pace;
  }
}

const bucketName = ({ name }: BucketFacts): string => `s3://${name}`;

/** The limits of one thread: requests at once are counted by each alone. */
function limitsOf({ requestsAtOnce, requestsPerSecond }: HostBounds, threads: number): PaceLimits {
  return {
    perSecond: requestsPerSecond,
    ...(requestsAtOnce === undefined ? {} : { atOnce: Math.max(1, Math.floor(requestsAtOnce / threads)) }),
  };
}
