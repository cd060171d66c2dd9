import { expect, test } from "vitest";

test("the package exports exactly these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "DeadlineError",
      "JSON_TYPE",
      "PathTable",
      "REQUEST_DEADLINE_MS",
      "REQUEST_PROBLEMS",
      "RequestProblem",
      "addRoute",
      "check",
      "compress",
      "header",
      "isClosed",
      "methodsOf",
      "notServed",
      "placeIn",
      "problemAnswers",
      "readBounded",
      "requestScope",
      "requestSpans",
      "securityHeaders",
    ]
  `);
});

test("its ./answers exports exactly these names", async () => {
  expect(Object.keys(await import("../src/answers.ts")).sort()).toMatchInlineSnapshot(`
    [
      "appendVary",
      "chooseMediaType",
      "completeAnswer",
      "conditional",
      "fingerprint",
      "headerList",
      "jsonParts",
      "matchesEtag",
      "sendDocument",
      "textAnswer",
      "withFirstBytes",
    ]
  `);
});

test("its ./files exports exactly these names", async () => {
  expect(Object.keys(await import("../src/files.ts")).sort()).toMatchInlineSnapshot(`
    [
      "BuiltFiles",
      "pathBelow",
      "sendBytes",
      "sendFile",
    ]
  `);
});

test("its ./origins exports exactly these names", async () => {
  expect(Object.keys(await import("../src/origins.ts")).sort()).toMatchInlineSnapshot(`
    [
      "allowsOrigin",
      "cors",
      "isLoopbackHost",
      "preflightHeaders",
      "siteOnly",
    ]
  `);
});

test("its ./server exports exactly these names", async () => {
  expect(Object.keys(await import("../src/server.ts")).sort()).toMatchInlineSnapshot(`
    [
      "LIVE",
      "ListenError",
      "checkAddresses",
      "createHttpServer",
      "createProbeServer",
      "listenAt",
    ]
  `);
});

test("its ./xml exports exactly these names", async () => {
  expect(Object.keys(await import("../src/xml.ts")).sort()).toMatchInlineSnapshot(`
    [
      "element",
      "elementWith",
      "xmlDocument",
    ]
  `);
});
