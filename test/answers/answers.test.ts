import { expect, test } from "vitest";
import { FULL, testService } from "../../apps/api/test/tools/harness.ts";
import { type Description, OpenApiCheck } from "../../apps/api/test/tools/openapi-check.ts";
import { ALL } from "./asked/all.ts";
import { compare } from "./compare.ts";
import { Normalizer } from "./normalize.ts";
import type { Answer } from "./record.ts";

/** Routes about people: what they answer is of one account and one moment. */
const OF_ACCOUNTS = /^\/(v1\/(account|keys|guest|openeo\/credentials)|oauth)\b/;

test("the requests include every route of the OpenAPI document but those of accounts, each by its own name", async () => {
  const service = await testService({}, { profile: FULL });
  const document = (await (await service.request("/v1/openapi.json")).json()) as Description;
  const check = new OpenApiCheck(document);
  const asked = ALL.filter(({ profile }) => profile === undefined).map(({ method, body, path }) => {
    const by = method ?? (body === undefined ? "GET" : "POST");
    const { operation } = check.operation(by, new URL(path, "http://service.test").pathname);
    return operation?.operationId;
  });
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.values(operations).map(({ operationId }) => ({ path, operationId })),
  );
  const missing = all.filter(({ path, operationId }) => !OF_ACCOUNTS.test(path) && !asked.includes(operationId));
  // a session of tools ends by itself
  expect(missing.map(({ operationId }) => operationId)).toEqual(["deleteMcp"]);
  const names = ALL.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

const answer = (more: Partial<Answer>): Answer => ({ status: 200, headers: {}, sha256: "a", bytes: 1, ...more });
const problem = (more: object): Answer =>
  answer({ status: 400, sha256: JSON.stringify(more), body: { code: "invalid-body", detail: "Bad.", ...more } });

test.each([
  ["other bytes", answer({}), answer({ sha256: "b" }), "answer"],
  ["another status", answer({}), answer({ status: 404 }), "answer"],
  ["another header", answer({ headers: { Vary: "Accept" } }), answer({}), "answer"],
  ["another number", answer({ body: { mean: 1 } }), answer({ sha256: "b", body: { mean: 1.5 } }), "answer"],
  [
    "members in another order",
    answer({ body: { a: 1, b: 2 } }),
    answer({ sha256: "b", body: { b: 2, a: 1 } }),
    "answer",
  ],
  ["another pointer", problem({ errors: [{ pointer: "/a" }] }), problem({ errors: [{ pointer: "/b" }] }), "answer"],
  ["another sentence", problem({}), problem({ detail: "Worse." }), "wording"],
  [
    "a sentence of a good answer",
    answer({ body: { detail: "a" } }),
    answer({ sha256: "b", body: { detail: "b" } }),
    "answer",
  ],
  ["another validator", answer({ headers: { ETag: "1" } }), answer({ headers: { ETag: "2" } }), "etag"],
])("%s: told apart from no change", (_, before, after, kind) => {
  expect(compare({ one: before }, { one: after })).toMatchObject([{ name: "one", kind }]);
  expect(compare({ one: before }, { one: before })).toEqual([]);
});

test("a request of one record alone is named", () => {
  expect(compare({ one: answer({}) }, { two: answer({}) }).map(({ name, kind }) => [name, kind])).toEqual([
    ["one", "missing"],
    ["two", "missing"],
  ]);
});

test("what differs at each start is named by what it is, the rest stays", () => {
  const normalizer = new Normalizer();
  normalizer.name("0af", "job");
  const document = {
    id: "0af",
    datetime: "2026-06-13T10:02:11Z",
    expires: "2026-06-16T13:00:04Z",
    links: [{ href: "http://swath.test/v1/results/12-ab/a.tif?expires=1&signature=x" }],
    seconds: 0.25,
    mean: 0.1,
  };
  expect(normalizer.json(document)).toEqual({
    id: "<job 1>",
    datetime: "2026-06-13T10:02:11Z",
    expires: "<now + 1 h>",
    links: [{ href: "http://swath.test/v1/results/<result>/a.tif?<signed>" }],
    seconds: "<seconds>",
    mean: 0.1,
  });
});
