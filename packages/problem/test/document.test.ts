import { expect, test } from "vitest";
import * as z from "zod";
import { Problem, problemErrors, problemHeaders, toProblem } from "../src/index.ts";

const kind = (status: number, title: string) => ({ status, title, description: "It happens.", remedy: "Wait." });
class ProblemError extends problemErrors({
  "invalid-body": kind(400, "Invalid request body"),
  "not-found": kind(404, "Not found"),
  "method-not-allowed": kind(405, "Method not allowed"),
  "output-too-large": kind(413, "Output too large"),
  "budget-exceeded": kind(422, "Budget exceeded"),
  "rate-limited": kind(429, "Too many requests"),
  "upstream-unavailable": kind(503, "Upstream unavailable"),
}) {}

const context = { baseUrl: "https://imagery.example", instance: "/v1/search", requestId: "r-1" };

test("a problem document has every member", { tags: ["P2", "P3"] }, () => {
  const error = new ProblemError("output-too-large", "3000 pixels are more than 2500.", {
    errors: [{ pointer: "/output/width", detail: "At most 2500." }],
    limits: { maxOutputWidth: 2500, requestedWidth: 3000 },
  });
  expect(toProblem(error, context)).toEqual({
    type: "https://imagery.example/problems/output-too-large",
    title: "Output too large",
    status: 413,
    detail: "3000 pixels are more than 2500.",
    instance: "/v1/search",
    code: "output-too-large",
    requestId: "r-1",
    errors: [{ pointer: "/output/width", detail: "At most 2500." }],
    limits: { maxOutputWidth: 2500, requestedWidth: 3000 },
  });
});

test("a document passes its own model, with and without optional members", () => {
  const bare = toProblem(new ProblemError("not-found", "No item."), { baseUrl: "http://127.0.0.1:8080/" });
  expect(Problem.parse(bare)).toEqual(bare);
  expect(Object.keys(bare)).toEqual(["type", "title", "status", "detail", "code"]);
  const full = toProblem(new ProblemError("rate-limited", "Slow down.", { retryAfter: 0.2 }), context);
  expect(Problem.parse(full)).toEqual(full);
});

test("an error of another kind becomes internal and its message stays inside", { tags: ["P5"] }, () => {
  for (const thrown of [new Error("password=1234"), "text", undefined, null]) {
    const problem = toProblem(thrown, context);
    expect(problem).toMatchObject({ status: 500, code: "internal" });
    expect(JSON.stringify(problem)).not.toContain("1234");
  }
});

test("the instance is a path without a query", { tags: ["P6"] }, () => {
  expect(toProblem(new ProblemError("not-found", "No."), { ...context, instance: "/v1/x?key=secret" }).instance).toBe(
    "/v1/x",
  );
});

test("additional members pass and never replace standard ones", { tags: ["P11"] }, () => {
  const error = new ProblemError("budget-exceeded", "Over.", { members: { unitsEstimated: 12.5, status: 200 } });
  expect(toProblem(error, context)).toMatchObject({ unitsEstimated: 12.5, status: 422 });
});

test("headers carry the media type, whole seconds to wait, and what the error brings", { tags: ["P9"] }, () => {
  expect(problemHeaders(new ProblemError("rate-limited", "Slow down.", { retryAfter: 0.2 }))).toEqual({
    "Content-Type": "application/problem+json",
    "Retry-After": "1",
  });
  expect(problemHeaders(new ProblemError("method-not-allowed", "No.", { headers: { Allow: "GET" } }))).toEqual({
    "Content-Type": "application/problem+json",
    Allow: "GET",
  });
  expect(problemHeaders(new Error("x"))).toEqual({ "Content-Type": "application/problem+json" });
});

test("an error keeps its cause", () => {
  const cause = new Error("socket closed");
  const error = new ProblemError("upstream-unavailable", "No answer.", { cause });
  expect(error.cause).toBe(cause);
  expect(error).toMatchObject({ name: "ProblemError", status: 503, detail: "No answer.", message: "No answer." });
});

test("the model becomes a JSON Schema component that allows more members", () => {
  const schema = z.toJSONSchema(Problem);
  expect(schema.$defs?.Problem).toMatchObject({
    required: ["type", "title", "status", "detail"],
    additionalProperties: {},
    properties: { type: { format: "uri" }, status: { type: "integer", minimum: 400, maximum: 599 } },
  });
});

test("a document stays short however long the names are that it repeats, and however many", () => {
  const long = "é".repeat(90_000);
  const emoji = `${"x".repeat(3998)}😀${long}`;
  const errors = [
    { pointer: `/query/${long}`, detail: emoji },
    { pointer: "/a".repeat(600), detail: "Deep." },
    { pointer: long, detail: "A parameter." },
    ...Array.from({ length: 5000 }, (_, i) => ({ pointer: `/x${i}`, detail: "Unknown." })),
  ];
  const problem = toProblem(new ProblemError("invalid-body", long, { errors }), context);
  expect(problem.detail).toBe(`${"é".repeat(3999)}…`);
  expect(problem.errors).toHaveLength(100);
  const [first, second, third] = problem.errors ?? [];
  expect(first).toEqual({ pointer: "/query", detail: `${"x".repeat(3998)}…` });
  expect(second).toEqual({ pointer: "/a".repeat(500), detail: "Deep." });
  expect(third?.pointer).toBe("");
  expect(JSON.stringify(problem).length).toBeLessThan(20_000);
});

test("a table of problems has codes for addresses, and statuses of errors", () => {
  expect(() => problemErrors({ "Not Found": kind(404, "Not found") })).toThrow(
    '"Not Found" is no code: expected a-z, 0-9 and hyphens.',
  );
  expect(() => problemErrors({ fine: kind(200, "Fine") })).toThrow("fine: expected a status of 400 to 599, got 200.");
});
