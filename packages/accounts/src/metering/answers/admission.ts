import type { Identity } from "../../identity.ts";
import type { RouteAccess } from "../../../../../apps/api/src/access/route-access.ts";
import type { JobCharge } from "../reservations/job-charges.ts";
import type { Units } from "../reservations/units.ts";

/** What is asked for, once the request is understood. */
export interface AdmissionRequest {
  /** Operation id of the route. */
  readonly route: string;
  readonly cost: Units;
  /** Bytes of the result file that it writes at most. */
  readonly fileBytes?: number;
}

/** Headers of an answer. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** A request that may run: it is charged or released, once. */
export interface Admitted {
  /**
   * Charges the units of an answer that is ready to be sent, and the bytes of the file that it has written. The result is
   * sent as headers of the answer.
   */
  charge(units: Units, fileBytes?: number): Promise<AnswerHeaders>;
  /**
   * Gives back what was reserved.
   *
   * @param why `failed`: the request failed, or cost nothing. `left`: its client closed the connection, and what it had
   *   begun was work all the same: its units go back to the month and stay spent in the minute.
   */
  release(why?: "failed" | "left"): Promise<void>;
  /**
   * Gives back what was charged, where the client closed the connection before the answer was sent: to the month, not to
   * the minute.
   */
  refund?(): void;
}

/** Units of a background job, reserved until it ends. */
export interface HeldUnits {
  /** Stored with the job, which is charged or released when it ends. */
  readonly charge: JobCharge;
  /** Gives the units back: the job was not accepted. */
  release(): Promise<void>;
}

/** Decides how much a caller may ask for, and counts it. */
export interface Admission {
  /**
   * Counts a request whose caller is known, before its parameters are read: malformed requests count too.
   *
   * @param access of the route that is asked for.
   * @param route its operation id.
   * @throws {ProblemError} `rate-limited`, `quota-exhausted`, `ip-rate-limited`.
   */
  arrive(identity: Identity, access: RouteAccess, route?: string): Promise<void>;
  /**
   * Reserves what a request costs, before it reads any pixel.
   *
   * @throws {ProblemError} `request-too-expensive`, `concurrency-limit`, `rate-limited`, `quota-exhausted`.
   */
  admit(identity: Identity, request: AdmissionRequest): Promise<Admitted>;
  /**
   * Whether `admit` will let this request run, as far as this node knows: then work that can be ended may begin while it
   * decides. Absent: `admit` waits for nothing.
   */
  isLikely?(identity: Identity, request: AdmissionRequest): boolean;
  /**
   * Reserves what a background job costs, and the bytes of its file; undefined where jobs are not charged. Absent: they never are.
   *
   * @throws as `admit`, but for `concurrency-limit`.
   */
  hold?(identity: Identity, request: AdmissionRequest): Promise<HeldUnits | undefined>;
  /** Headers of a good answer that cost nothing. Absent: there are none. */
  headersOf?(identity: Identity): AnswerHeaders;
}
