import { Pace, type PaceLimits, paceState } from "@swath/http";
import { hashText } from "../../hash-text.ts";
import type { BucketFacts, FileStorage, HostBounds, ServerFacts } from "./file-storage.ts";

/** Times of requests to file hosts, in memory that threads share: plain data, as render threads are started with. */
export interface PaceStates {
  /** By the name that facts have. Below a wildcard each host or bucket has a place of its own. */
  readonly named: Readonly<Record<string, HostStates>>;
  /** Hosts and buckets of which nothing is known. */
  readonly others: HostStates;
  /** Threads that read files: each has its share of the requests at once. */
  readonly threads: number;
}

/** Times of some hosts: each takes a free place when it is first asked. */
export interface HostStates {
  /** Hashes of the names of hosts by place; 0 where it is free. */
  readonly taken: BigInt64Array;
  readonly states: readonly BigInt64Array[];
}

/** Hosts of which nothing is known are few: those that the owner allows. */
const OTHERS = 64;
/** Places for the hosts below one wildcard, such as the accounts of a cloud. More of them share places. */
const BELOW_WILDCARD = 64;

function hostStates(places: number, bounds: HostBounds, threads: number): HostStates {
  return {
    taken: new BigInt64Array(new SharedArrayBuffer(places * BigInt64Array.BYTES_PER_ELEMENT)),
    states: Array.from({ length: places }, () => paceState(limitsOf(bounds, threads))),
  };
}

/** Finds the place of a host, or takes a free one for it; where none is left it shares that of another. */
function placeOf({ taken }: HostStates, host: string): number {
  const places = taken.length;
  const first = hashText(host);
  const hash = (BigInt(first) << 30n) | BigInt(hashText(`${host} `) >>> 2);
  const name = hash === 0n ? 1n : hash;
  for (let i = 0; i < places; i++) {
    const at = (first + i) % places;
    const before = Atomics.compareExchange(taken, at, 0n, name);
    if (before === 0n || before === name) return at;
  }
  return first % places;
}

/** Makes the memory for all hosts of which something is known, and for some others. */
export function paceStates({ buckets, servers }: FileStorage, threads: number): PaceStates {
  const bounded: (readonly [string, HostBounds])[] = [
    ...buckets.map((bucket) => [bucketName(bucket), bucket] as const),
    ...servers.map((server) => [server.host, server] as const),
  ];
  return {
    named: Object.fromEntries(
      bounded.map(([name, bounds]) => [name, hostStates(name.includes("*") ? BELOW_WILDCARD : 1, bounds, threads)]),
    ),
    others: hostStates(OTHERS, {}, threads),
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
    return this.#pace(`s3://${name}`, facts === undefined ? undefined : bucketName(facts), facts);
  }

  ofServer({ host }: { readonly host: string }, facts: ServerFacts | undefined): Pace {
    return this.#pace(host, facts?.host, facts);
  }

  /** @param name that facts have, where there are any. */
  #pace(host: string, name: string | undefined, bounds: HostBounds = {}): Pace {
    const { named, others, threads } = this.#states;
    const group = name === undefined ? undefined : named[name];
    const states = group ?? others;
    const at = placeOf(states, host);
    const key = `${group === undefined ? "" : name} ${at}`;
    const known = this.#paces.get(key);
    if (known !== undefined) return known;
    const pace = new Pace(group === undefined ? {} : limitsOf(bounds, threads), { state: states.states[at] });
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
