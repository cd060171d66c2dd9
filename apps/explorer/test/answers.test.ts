import { expect, onTestFinished, test, vi } from "vitest";
import { AccountApi } from "../src/account/account-api.ts";
import { Api } from "../src/api/api.ts";
import { ApiError, fetchAnswer } from "../src/api/api-error.ts";
import type { HeaderSource } from "../src/api/credentials.ts";
import { Person } from "../src/api/person.ts";
import { readBaseStyle } from "../src/map/maplibre/base/base-style.ts";
import { memory } from "./memory.ts";

const BASE = new URL("https://service.example/");

/** Lets `fetch` give `answers` one after another. */
function answerWith(...answers: readonly Response[]): void {
  const left = [...answers];
  vi.stubGlobal("fetch", () => Promise.resolve(left.shift()));
  onTestFinished(() => void vi.unstubAllGlobals());
}

test.each([401, 403, 404, 500])(
  "the body of an answer %i is read, so that the next request does not wait",
  async (status) => {
    const text = new Response("<p>No.</p>", { status });
    const problem = Response.json({ title: "Refused", code: "invalid-key" }, { status });
    answerWith(text, problem);
    await expect(fetchAnswer("https://service.example/a")).rejects.toMatchObject({ problem: { status } });
    await expect(fetchAnswer("https://service.example/a")).rejects.toMatchObject({
      problem: { title: "Refused", status },
    });
    expect([text.bodyUsed, problem.bodyUsed]).toEqual([true, true]);
  },
);

test("a request that is sent again leaves no answer unread", async () => {
  const refusals = [
    Response.json({ title: "Refused", status: 401 }, { status: 401 }),
    Response.json({ title: "Full", code: "concurrency-limit", retryAfter: 0 }, { status: 429 }),
  ];
  answerWith(...refusals, new Response("tile"));
  let recovered = 0;
  const api = new Api<HeaderSource>(BASE, {
    headersFor: async () => ({}),
    recover: async (_, { status }) => {
      recovered += 1;
      return status === 401;
    },
  });
  expect(await (await api.send("v1/tile")).text()).toBe("tile");
  expect([recovered, ...refusals.map(({ bodyUsed }) => bodyUsed)]).toEqual([2, true, true]);
});

test("the end of a session that ended before is no error, and is read", async () => {
  const person = new Person(memory());
  person.session = "session-1";
  const ended = Response.json({ title: "Refused", status: 401 }, { status: 401 });
  answerWith(ended);
  await new AccountApi({ base: BASE, person, onEnded: () => {} }).signOut();
  expect(ended.bodyUsed).toBe(true);
});

test("the refusal of a base map's style is read", async () => {
  const refusal = new Response("No.", { status: 403 });
  answerWith(refusal);
  await expect(readBaseStyle({ url: "https://maps.example/style.json", origins: [] })).rejects.toThrow(ApiError);
  expect(refusal.bodyUsed).toBe(true);
});
