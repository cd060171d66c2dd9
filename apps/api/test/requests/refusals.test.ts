import { Refusal } from "@swath/engine";
import { expect, test } from "vitest";
import { type MemberNames, refusalProblem } from "../../src/errors/refusals.ts";
import { translateError } from "../../src/errors/translate.ts";

const BODY: MemberNames = {
  in: "body",
  names: { "": "", where: "/input/bounds", "where.crs": "/input/bounds/properties/crs", "what.bands": "/bands" },
};
const QUERY: MemberNames = { in: "query", names: { where: "lon", "what.bands": "bands" } };

test("the longest beginning of a path names the member, and the rest of it follows", () => {
  const refuse = (path: (string | number)[]) => refusalProblem(new Refusal("invalid", path, "Expected x."), BODY);
  expect(refuse(["where", "crs"])).toMatchObject({
    code: "invalid-body",
    message: "/input/bounds/properties/crs: Expected x.",
    errors: [{ pointer: "/input/bounds/properties/crs", detail: "Expected x." }],
  });
  expect(refuse(["where", "geometry", "type"]).errors?.[0]?.pointer).toBe("/input/bounds/geometry/type");
  expect(refuse(["what", "bands", 2]).errors?.[0]?.pointer).toBe("/bands/2");
  expect(refuse(["when", "a/b~c"]).errors?.[0]?.pointer).toBe("/when/a~1b~0c");
});

test("a query names its parameter, without what is inside of it", () => {
  expect(refusalProblem(new Refusal("invalid", ["what", "bands", 2], "Expected x."), QUERY)).toMatchObject({
    code: "invalid-parameter",
    message: "bands: Expected x.",
    errors: [{ pointer: "bands", detail: "Expected x." }],
  });
});

test("other codes keep their words, limits, faults, seconds and facts", () => {
  const faults = [
    { path: ["what", "bands", 0], detail: "No band a." },
    { path: ["what", "bands", 1], detail: "No band b." },
  ];
  const refusal = new Refusal("unknown-band", ["what", "bands"], "No band a. No band b.", {
    faults,
    limits: { most: 3 },
    retryAfter: 7,
    facts: { unitsEstimated: 4 },
  });
  expect(refusalProblem(refusal, BODY)).toMatchObject({
    code: "unknown-band",
    message: "No band a. No band b.",
    errors: [
      { pointer: "/bands/0", detail: "No band a." },
      { pointer: "/bands/1", detail: "No band b." },
    ],
    limits: { most: 3 },
    retryAfter: 7,
    members: { unitsEstimated: 4 },
  });
});

test("where the way in is not known, no member is named", () => {
  expect(translateError(new Refusal("not-found", ["where", "id"], "No scene."))).toMatchObject({
    code: "not-found",
    errors: undefined,
  });
});
