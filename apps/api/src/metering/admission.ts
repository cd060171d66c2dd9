import type { Identity } from "../access/identity.ts";
import type { RouteAccess } from "../access/route-access.ts";
import type { Units } from "./units.ts";

/** What is asked for, once the request is understood. */
export interface AdmissionRequest {
  /** Operation id of the route. */
  readonly route: string;
  readonly cost: Units;
}

/** A request that may run: it is charged or released, once. */
export interface Admitted {
  /** Charges the units of an answer that is ready to be sent. The result is sent as headers of the answer. */
  charge(units: Units): Promise<Readonly<Record<string, string>>>;
  /** Gives back what was reserved: the request failed, cost nothing, or its client closed the connection. */
  release(): Promise<void>;
}

/** Decides how much a caller may ask for, and counts it. */
export interface Admission {
  /**
   * Counts a request whose caller is known, before its parameters are read: malformed requests count too.
   *
   * @param access of the route that is asked for.
   * @throws {ProblemError} `rate-limited`, `quota-exhausted`, `ip-rate-limited`.
   */
  arrive(identity: Identity, access: RouteAccess): Promise<void>;
  /**
   * Reserves what a request costs, before it reads any pixel.
   *
   * @throws {ProblemError} `request-too-expensive`, `concurrency-limit`, `rate-limited`, `quota-exhausted`.
   */
  admit(identity: Identity, request: AdmissionRequest): Promise<Admitted>;
}
