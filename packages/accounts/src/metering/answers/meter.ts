import type { Identity } from "../../identity.ts";
import { NO_UNITS, type Units } from "../units/units.ts";
import type { Admission, Admitted, HeldUnits, Receipt } from "./admission.ts";

/** Options of a meter. */
export interface MeterOptions {
  readonly admission: Admission;
  readonly identity: Identity;
  /** Operation id of the route. */
  readonly route: string;
  /** A reservation that could not be given back: it ends by itself, the answer goes out all the same. */
  readonly onReleaseError: (error: unknown) => void;
}

/** The cost of one request: admitted at most once, then charged or released once. */
export class Meter {
  readonly #options: MeterOptions;
  #admitted: Admitted | undefined;
  #charged: Admitted | undefined;
  #cost: Units | undefined;
  #fileBytes = 0;
  /** The reason why the request was released, once it was. */
  #released: "failed" | "left" | undefined;
  /** Called when the request ends; absent: it has ended. */
  #listeners: ((stands: boolean) => void)[] | undefined = [];

  constructor(options: MeterOptions) {
    this.#options = options;
  }

  /** The cost that was admitted; undefined before. */
  get cost(): Units | undefined {
    return this.#cost;
  }

  /**
   * Reserves `cost`. Call it once the request is planned and the answer is neither 304 nor in a cache; a request that
   * never calls it costs nothing.
   *
   * @param fileBytes of the result file that the request writes at most.
   * @throws {LimitError} as `Admission.admit`.
   */
  async admit(cost: Units, fileBytes = 0): Promise<void> {
    if (this.#cost !== undefined) throw new Error("This request was admitted before.");
    this.#cost = cost;
    const { admission, identity, route } = this.#options;
    const admitted = await admission.admit(identity, { route, cost, fileBytes });
    if (this.#released === undefined) {
      this.#admitted = admitted;
      return;
    }
    // the request has ended meanwhile: nobody else would settle this
    await admitted.release(this.#released);
    throw new Error("This request has ended.");
  }

  /** Whether `admit` will let a request of this cost run, as far as this node knows. */
  isLikely(cost: Units): boolean {
    const { admission, identity, route } = this.#options;
    return admission.isLikely?.(identity, { route, cost }) ?? false;
  }

  /** Charges less than was reserved: the work turned out smaller than its plan. More than that is never charged. */
  lower(cost: Units): void {
    if (this.#cost !== undefined && cost < this.#cost) this.#cost = cost;
  }

  /** Counts the bytes of a result file that the request has written and that is kept. */
  wrote(bytes: number): void {
    this.#fileBytes += bytes;
  }

  /**
   * Reserves what a background job costs: the request that submits it costs nothing itself.
   *
   * @param fileBytes of its result file at most.
   * @returns undefined where jobs are not charged.
   * @throws {LimitError} as `Admission.hold`.
   */
  async hold(cost: Units, fileBytes = 0): Promise<HeldUnits | undefined> {
    const { admission, identity, route } = this.#options;
    return admission.hold?.(identity, { route, cost, fileBytes });
  }

  /**
   * Calls `listener` once, when this request ends: with true where what it cost was charged and its answer is sent, with
   * false where it was released or given back. What others may have for nothing once it is paid waits for this.
   */
  whenEnded(listener: (stands: boolean) => void): void {
    if (this.#listeners === undefined) listener(false);
    else this.#listeners.push(listener);
  }

  /** The answer is sent, and its charge stands. */
  confirm(): void {
    this.#end(true);
  }

  #end(stands: boolean): void {
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener(stands);
  }

  /** Charges what was admitted and gives the receipt; gives back the reservation where that fails. */
  async charge(): Promise<Receipt> {
    const admitted = this.#admitted;
    if (admitted === undefined) return this.unchargedReceipt();
    try {
      const receipt = await admitted.charge(this.#cost ?? NO_UNITS, this.#fileBytes);
      this.#charged = admitted;
      return receipt;
    } catch (error) {
      await this.release();
      throw error;
    } finally {
      this.#admitted = undefined;
    }
  }

  /** The receipt of an answer that costs nothing. */
  unchargedReceipt(): Receipt {
    const { admission, identity } = this.#options;
    return admission.receiptFor?.(identity);
  }

  /** Gives back what was charged: the client closed the connection before its answer was sent. */
  refund(): void {
    this.#charged?.refund?.();
    this.#charged = undefined;
    this.#end(false);
  }

  /**
   * Gives back what was reserved, if anything. Never rejects.
   *
   * @param why `left`: the client closed the connection; the units stay spent in its minute.
   */
  async release(why: "failed" | "left" = "failed"): Promise<void> {
    const admitted = this.#admitted;
    this.#admitted = undefined;
    this.#released ??= why;
    try {
      await admitted?.release(why);
    } catch (error) {
      this.#options.onReleaseError(error);
    } finally {
      this.#end(false);
    }
  }
}
