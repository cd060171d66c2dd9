import type { ReplayAnswer, ReplayRequest } from "./messages.ts";

/** The fault of requests whose address holds a text. */
export interface Fault {
  /** A part of `METHOD https://host/path?query`. */
  readonly match: string;
  /** Sent instead of the host's answer; `"broken"` ends the connection without one. */
  readonly answer?: ReplayAnswer | "broken";
  /** Milliseconds before the answer. */
  readonly delay?: number;
  /** The number of requests after which the fault is over; default: it stays. */
  readonly times?: number;
}

/** Faults that are switched on, the newest first. */
export interface Faults {
  /** @returns a function that switches the fault off. */
  add(fault: Fault): () => void;
  clear(): void;
  /** The faults of one request, counted as used. */
  of(request: ReplayRequest): { readonly answer?: ReplayAnswer | "broken"; readonly delay: number };
}

export function createFaults(): Faults {
  const active: { readonly fault: Fault; left: number }[] = [];
  return {
    add: (fault) => {
      const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
      active.unshift(entry);
      return () => {
        entry.left = 0;
      };
    },
    clear: () => {
      active.length = 0;
    },
    of: ({ method, url }) => {
      const text = `${method} ${url.href}`;
      const hit = active.filter(({ fault, left }) => left > 0 && text.includes(fault.match));
      for (const entry of hit) entry.left -= 1;
      const answer = hit.find(({ fault }) => fault.answer !== undefined)?.fault.answer;
      const delay = Math.max(0, ...hit.map(({ fault }) => fault.delay ?? 0));
      return { ...(answer === undefined ? {} : { answer }), delay };
    },
  };
}
