import type { Identity } from "../../identity.ts";
import type { LimitSettings } from "../counters/limit-settings.ts";
import type { JobCharge } from "../reservations/job-charges.ts";
import type { Balance } from "../units/balance.ts";
import type { LimitedPayer } from "../units/payer.ts";
import type { Units } from "../units/units.ts";

/** The request for admission, once it is understood. */
export interface AdmissionRequest {
  /** Operation id of the route. */
  readonly route: string;
  readonly cost: Units;
  /** Bytes of the result file that it writes at most. */
  readonly fileBytes?: number;
}

/** The kind of a request, as limits count it: the caller's account, images, or anything else. */
export type RequestKind = "account" | "image" | "other";

/** The cost of an answer for a payer whose units are limited. */
export interface UnitReceipt {
  readonly payer: LimitedPayer;
  readonly spent: Units;
  /** After it. */
  readonly balance: Balance;
  /** Epoch milliseconds. */
  readonly time: number;
}

/** The cost of an answer for the service's owner, whose units are counted and whose requests are limited. */
export interface OwnerReceipt {
  readonly spent: Units;
  readonly rates: LimitSettings;
}

/** The cost of an answer for its payer, and the units left; undefined where nobody pays. */
export type Receipt = UnitReceipt | OwnerReceipt | undefined;

/** A request that may run: it is charged or released, once. */
export interface Admitted {
  /**
   * Charges the units of an answer that is ready to be sent, and the bytes of the file that it has written. The result is
   * told with the answer.
   */
  charge(units: Units, fileBytes?: number): Promise<Receipt>;
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
   * @param route its operation id.
   * @throws {LimitError} `rate`, `quota`, `address`.
   */
  arrive(identity: Identity, kind: RequestKind, route?: string): Promise<void>;
  /**
   * Reserves what a request costs, before it reads any pixel.
   *
   * @throws {LimitError} `cost`, `concurrency`, `rate`, `quota`.
   */
  admit(identity: Identity, request: AdmissionRequest): Promise<Admitted>;
  /**
   * Whether `admit` will let this request run, as far as this node knows: then work that can be ended may begin while it
   * decides. Absent: `admit` waits for nothing.
   */
  isLikely?(identity: Identity, request: AdmissionRequest): boolean;
  /**
   * Reserves the cost of a background job, and the bytes of its file; undefined where jobs are not charged. Absent:
   * they never are.
   *
   * @throws as `admit`, except `concurrency`.
   */
  hold?(identity: Identity, request: AdmissionRequest): Promise<HeldUnits | undefined>;
  /** The receipt of a good answer that cost nothing. Absent: there is none. */
  receiptFor?(identity: Identity): Receipt;
}
