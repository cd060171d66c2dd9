import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { PROBLEMS } from "../apps/api/src/errors/problems.ts";
import { FULL, KEY, type TestService, testService } from "../apps/api/test/tools/harness.ts";
import { type ErrorExample, EXAMPLES_FILE, errorPages } from "../apps/docs/scripts/content/errors.ts";
import { ERROR_REQUESTS } from "./tools/error-requests.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
});

/** The answer to a request, with the address that documents name and a request id that stays. */
async function answerTo({
  method,
  path,
  headers = {},
  body,
}: Omit<ErrorExample, "answer">): Promise<ErrorExample["answer"]> {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("$KEY", KEY)]));
  const response = await service.request(path, {
    method,
    headers: sent,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = (await response.text()).replaceAll("http://service.test", "http://127.0.0.1:8080");
  const answer = JSON.parse(text) as ErrorExample["answer"];
  const requestId = "0198c0de-5a5a-7000-8000-000000000000";
  // openEO calls it `id`
  return { ...answer, requestId, ...("id" in answer ? { id: requestId } : {}) };
}

test("each example in the catalogue of errors is what the service answers", { tags: ["P12"] }, async () => {
  const examples: Record<string, ErrorExample> = {};
  for (const [code, request] of Object.entries(ERROR_REQUESTS)) {
    const answer = await answerTo(request);
    expect(answer).toMatchObject({ code, status: PROBLEMS[code as keyof typeof PROBLEMS].status });
    examples[code] = { ...request, answer };
  }
  // UPDATE_EXAMPLES=1 writes what the service says now
  if (process.env.UPDATE_EXAMPLES === "1") writeFileSync(EXAMPLES_FILE, `${JSON.stringify(examples, undefined, 2)}\n`);
  expect(JSON.parse(readFileSync(EXAMPLES_FILE, "utf8"))).toEqual(examples);
});

test("every code of the service has a page with its cause and what to do, and the list leads to it", {
  tags: ["P12"],
}, () => {
  const pages = new Map(errorPages().map(({ place, text }) => [place, text]));
  for (const [code, { title, status, description, remedy }] of Object.entries(PROBLEMS)) {
    const page = pages.get(`errors/${code}.md`) ?? "";
    for (const text of [`# ${title}`, `status ${status}`, description, "## What to do", remedy])
      expect(page, code).toContain(text);
    expect(pages.get("errors/index.md")).toContain(`(./${code}.md)`);
    expect(page.includes("## An example"), code).toBe(Object.hasOwn(ERROR_REQUESTS, code));
  }
});
