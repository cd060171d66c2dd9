import type { Store, StoreRow } from "@swath/store";
import { expect, test } from "vitest";
import { RequestLeases } from "../../../src/metering/reservations/request-leases.ts";

/** A store whose answers come when the test says so: each grants what is asked, and no more than ten are asked for. */
function slowStore() {
  const minutes: number[] = [];
  const waiting: (() => void)[] = [];
  const store = {
    query: (_: string, [payer, minute, wanted]: readonly unknown[]) => {
      minutes.push(Number(minute));
      if (minutes.length > 10) return Promise.reject(new Error(`asked for the minutes ${minutes.join(" ")}`));
      const row = { payer, period: "", spent: 0, minute, minute_units: 0, minute_requests: wanted } as StoreRow;
      return new Promise<StoreRow[]>((resolve) => waiting.push(() => resolve([row])));
    },
  } as unknown as Store;
  const answer = (): void => {
    for (const each of waiting.splice(0)) each();
  };
  return { store, minutes, answer };
}

test("requests on both sides of the end of a minute are let through, and the store is asked for the minute that has begun", async () => {
  const { store, minutes, answer } = slowStore();
  const leases = new RequestLeases(store, () => {});
  const asked = [6, 7].map((minute) => leases.take("ann", 300, minute));
  const settled = Promise.allSettled(asked);
  for (let i = 0; i < 20; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    answer();
  }
  expect(await settled).toEqual([
    { status: "fulfilled", value: true },
    { status: "fulfilled", value: true },
  ]);
  expect(minutes).toEqual([6, 7]);
});
