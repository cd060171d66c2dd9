import type { OpenEoError } from "../errors.ts";

/** Takes a fault of a graph: throws it, or keeps it so that the parts which do not depend on it are examined too. */
export interface Faults {
  /** Whether faults are kept. */
  readonly keeps: boolean;
  report(fault: OpenEoError): void;
}

/** The first fault is thrown. */
export const THROWN: Faults = {
  keeps: false,
  report(fault) {
    throw fault;
  },
};

/** Something depends on what has a fault that was reported. */
export class DependsOnFault extends Error {
  override readonly name = "DependsOnFault";
}

/**
 * Something depends on what is not known yet: how many time steps a load has, or a parameter that the caller of the process
 * will give. Whether it has a fault cannot be told.
 */
export class DependsOnUnknown extends Error {
  override readonly name = "DependsOnUnknown";
}

/** Keeps up to `most` faults, each place once. */
export class KeptFaults implements Faults {
  readonly keeps = true;
  readonly #most: number;
  readonly #found = new Map<string, OpenEoError>();

  constructor(most: number) {
    this.#most = most;
  }

  get found(): readonly OpenEoError[] {
    return [...this.#found.values()];
  }

  /** @throws {DependsOnFault} where there are enough of them. */
  report(fault: OpenEoError): void {
    // a callback that is run for many values has its faults as often
    const key = JSON.stringify([fault.code, fault.path]);
    if (!this.#found.has(key)) this.#found.set(key, fault);
    if (this.#found.size >= this.#most) throw new DependsOnFault("There are enough faults.");
  }
}
