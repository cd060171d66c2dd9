import { parseList } from "structured-headers";
import { expect, test } from "vitest";
import { LimitError } from "../../../src/errors.ts";
import { accountProblem } from "../../../src/hono/metering/limit-problem.ts";
import { receiptHeaders } from "../../../src/hono/metering/receipt-headers.ts";
import type { UnitReceipt } from "../../../src/metering/answers/admission.ts";
import { DEFAULT_LIMITS } from "../../../src/metering/counters/limit-settings.ts";
import { GUEST_LIMITS, TIERS } from "../../../src/metering/units/tiers.ts";
import { NO_UNITS, toUnits } from "../../../src/metering/units/units.ts";

const TIME = Date.parse("2026-06-16T12:00:05Z");
const BALANCE = {
  period: "2026-06",
  spent: toUnits(1.25),
  reserved: 0,
  running: 0,
  minute: Math.floor(TIME / 60_000),
  minuteUnits: toUnits(1.25),
  minuteRequests: 1,
};
const RECEIPT: UnitReceipt = {
  payer: { id: "account:ann", key: "ann-key", period: "month", limits: TIERS.free },
  spent: toUnits(1.25),
  balance: BALANCE,
  time: TIME,
};

/** Names and parameters of a structured list. */
function policies(text: string | undefined): Record<string, Record<string, unknown>> {
  return Object.fromEntries(parseList(text ?? "").map(([name, parameters]) => [name, Object.fromEntries(parameters)]));
}

test("headers say what an answer cost and what is left, of the month and of the minute", () => {
  const headers = receiptHeaders(RECEIPT);
  expect(headers["X-Units-Spent"]).toBe("1.25");
  expect(headers["X-Units-Remaining"]).toBe("9998.75");
  expect(policies(headers["RateLimit-Policy"])).toEqual({
    "units-minute": { q: 300, w: 60 },
    "units-month": { q: 10_000, w: 2_592_000 },
    "requests-minute": { q: 600, w: 60 },
    concurrent: { q: 2, qu: "concurrent-requests" },
  });
  expect(policies(headers.RateLimit)).toEqual({
    "units-minute": { r: 298, t: 55 },
    "units-month": { r: 9998, t: 1_252_795 },
    "requests-minute": { r: 599, t: 55 },
  });
});

test("headers say the smaller limits once the month's units are spent", () => {
  const balance = { ...BALANCE, spent: toUnits(10_010) };
  const headers = receiptHeaders({ ...RECEIPT, spent: toUnits(10), balance });
  expect(headers["X-Units-Remaining"]).toBe("4990");
  expect(policies(headers["RateLimit-Policy"])).toMatchObject({
    "units-minute": { q: 30 },
    "units-month": { q: 10_000 },
    "units-restricted": { q: 5000 },
    concurrent: { q: 1 },
  });
  expect(policies(headers.RateLimit)).toMatchObject({ "units-month": { r: 0 }, "units-restricted": { r: 4990 } });
});

test("headers of a guest say the units of its token, and those of a day until the day ends", () => {
  const ofToken = { ...RECEIPT.payer, period: "token", limits: GUEST_LIMITS } as const;
  const headers = receiptHeaders({ ...RECEIPT, payer: ofToken });
  expect(policies(headers["RateLimit-Policy"])).toMatchObject({ "units-token": { q: 100, w: 3600 } });
  expect(policies(headers.RateLimit)).toMatchObject({ "units-token": { r: 98 } });
  const ofDay = receiptHeaders({ ...RECEIPT, payer: { ...ofToken, period: "day", limits: { ...GUEST_LIMITS } } });
  expect(policies(ofDay["RateLimit-Policy"])).toMatchObject({ "units-day": { q: 100, w: 86_400 } });
  expect(policies(ofDay.RateLimit)).toMatchObject({ "units-day": { r: 98, t: 43_195 } });
});

test("headers of the owner say its units, and the limits of its requests", () => {
  expect(receiptHeaders({ spent: toUnits(20_000), rates: DEFAULT_LIMITS })).toEqual({
    "X-Units-Spent": "20000",
    "RateLimit-Policy": '"burst";q=50;w=1, "requests-month";q=100000;w=2592000',
  });
  expect(receiptHeaders(undefined)).toEqual({});
});

test("a refusal is a problem with its limits, its policy and the headers of its payer", () => {
  const receipt = { ...RECEIPT, spent: NO_UNITS, balance: { ...BALANCE, minuteUnits: toUnits(300) } };
  const rate = new LimitError("rate", "Wait.", {
    limits: { unitsPerMinute: 300 },
    retryAfter: 54.2,
    policy: "units-minute",
    unitsEstimated: 0.01,
    receipt,
  });
  const problem = accountProblem(rate);
  expect(problem).toMatchObject({
    code: "rate-limited",
    status: 429,
    detail: "Wait.",
    retryAfter: 55,
    limits: { unitsPerMinute: 300 },
    members: { "violated-policies": ["units-minute"], unitsEstimated: 0.01 },
    headers: { "X-Units-Spent": "0", RateLimit: expect.stringContaining('"units-minute";r=0;t=55') },
  });
  // no earlier than the limit that was hit begins anew
  const facts = { limits: { concurrentRequests: 2 }, retryAfter: 1, policy: "concurrent", receipt } as const;
  const concurrency = accountProblem(new LimitError("concurrency", "Wait.", facts)) as {
    headers: Record<string, string>;
  };
  expect(policies(concurrency.headers.RateLimit)).toMatchObject({ concurrent: { r: 0, t: 1 } });
  const cost = new LimitError("cost", "Never.", { limits: { maxUnits: 100 }, unitsEstimated: 100.0001 });
  expect(accountProblem(cost)).toMatchObject({ code: "request-too-expensive", status: 422, headers: {} });
});
