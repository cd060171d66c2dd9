import { Pace, type PaceLimits } from "@swath/http";
import { expect, test } from "vitest";
import { createStacClient, type StacClientOptions } from "../src/index.ts";

/** A clock that goes on only where all that runs waits for it. */
function clock() {
  let time = 1_700_000_000_000;
  const waiting = new Map<() => void, number>();
  return {
    now: () => time,
    sleep: (milliseconds: number) =>
      new Promise<void>((resolve) => {
        waiting.set(resolve, time + milliseconds);
      }),
    async settle() {
      for (;;) {
        for (let i = 0; i < 50; i++) await Promise.resolve();
        const next = [...waiting].sort(([, a], [, b]) => a - b)[0];
        if (next === undefined) return;
        waiting.delete(next[0]);
        time = Math.max(time, next[1]);
        next[0]();
      }
    },
  };
}

/** As Copernicus Data Space answers: 429 with Retry-After above five requests a second. */
function limited(limits: PaceLimits | undefined, options: Partial<StacClientOptions> = {}) {
  const { settle, ...times } = clock();
  const starts: number[] = [];
  const statuses: number[] = [];
  const fetch = async (): Promise<Response> => {
    starts.push(times.now());
    const isTooFast = starts.filter((start) => start > times.now() - 1000).length > 5;
    statuses.push(isTooFast ? 429 : 200);
    // a refusal is there before an answer
    await times.sleep(isTooFast ? 5 : 10);
    if (isTooFast) return new Response("", { status: 429, headers: { "Retry-After": "2" } });
    return Response.json({ type: "FeatureCollection", features: [], links: [], numberReturned: 0 });
  };
  const pace = limits === undefined ? undefined : new Pace(limits, times);
  const client = createStacClient({
    url: "https://cdse.example/v1",
    fetch,
    ...times,
    pace,
    random: () => 0,
    ...options,
  });
  return { client, settle, starts, statuses, pace };
}

test("a limit of five a second is kept by twenty callers, so that none is refused", async () => {
  const { client, settle, starts, statuses } = limited({ perSecond: 5 });
  const all = Promise.all(Array.from({ length: 20 }, () => client.search({ limit: 1 })));
  await settle();
  expect(await all).toHaveLength(20);
  expect(statuses).toEqual(Array(20).fill(200));
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBe(3000);
});

test("what one caller is told by Retry-After, all callers keep", async () => {
  const { client, settle, starts, statuses } = limited({ atOnce: 6 });
  const all = Promise.all(Array.from({ length: 8 }, () => client.search({ limit: 1 })));
  await settle();
  await all;
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  // six at once, one of which was refused: it and the last two begin when the pause is over
  expect(starts.map((start) => start - (starts[0] ?? 0))).toEqual([0, 0, 0, 0, 0, 0, 2005, 2005, 2005]);
});

test("a pause beyond the time of a call is an error at once, with the seconds to wait and without a request", async () => {
  const { client, starts, pace } = limited({ perSecond: 5 }, { deadlineMs: 9000 });
  pace?.pause(23);
  await expect(client.search({ limit: 1 })).rejects.toMatchObject({ code: "unavailable", retryAfter: 23 });
  expect(starts).toEqual([]);
});

test("a call may have fewer tries than its client", async () => {
  const { settle, ...times } = clock();
  let asked = 0;
  const fetch = async (): Promise<Response> => {
    asked += 1;
    return new Response("", { status: 500 });
  };
  const client = createStacClient({ url: "https://a.example", fetch, ...times, retries: 3 });
  await expect(client.search({}, { retries: 0 })).rejects.toMatchObject({ status: 500 });
  expect(asked).toBe(1);
});
