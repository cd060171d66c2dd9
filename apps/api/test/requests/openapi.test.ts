import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PathTable } from "@swath/web";
import { beforeAll, expect, test } from "vitest";
import { startEngine } from "../../../../test/tools/engines.ts";
import { accountNode } from "../accounts/account-service.ts";
import { leanApp, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import { type Description, OpenApiCheck } from "../tools/openapi-check.ts";

/** Results are reached by signed links alone; what is outside /v1 is not part of the API. */
const BESIDE_THE_API = /^(?!\/v1(\/|$))|^\/v1\/results\//;

let service: TestService;
let description: Description & { readonly openapi: string; readonly jsonSchemaDialect: string };
beforeAll(async () => {
  service = await testService();
  description = (await (await service.request("/v1/openapi.json")).json()) as typeof description;
});

function operations(): { method: string; template: string; operation: Description["paths"][string][string] }[] {
  return Object.entries(description.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      operation: operation as Description["paths"][string][string],
    })),
  );
}

test("the document names every route of the router, and the router has every operation of the document", {
  tags: ["G1", "O2", "Q3", "Z1"],
}, async () => {
  const app = leanApp(await sandboxServices());
  const routed = app.routes
    .filter(({ method, path }) => method !== "ALL" && !BESIDE_THE_API.test(path))
    .map(({ method, path }) => `${method} ${path}`);
  const described = operations().map(
    ({ method, template }) => `${method} ${new PathTable().add(template, [method]).pattern}`,
  );
  expect([...new Set(routed)].sort()).toEqual(
    described.filter((each) => !BESIDE_THE_API.test(each.slice(each.indexOf(" ") + 1))).sort(),
  );
});

test("the document is OpenAPI 3.1 under its own media type", { tags: ["Q2"] }, async () => {
  const response = await service.request("/v1/openapi.json");
  expect(response.headers.get("Content-Type")).toBe("application/vnd.oai.openapi+json;version=3.1");
  expect(description.openapi).toMatch(/^3\.1\./);
  expect(description.jsonSchemaDialect).toBe("https://json-schema.org/draft/2020-12/schema");
});

test("every documented error is a problem document, and every operation has a good answer", { tags: ["P1"] }, () => {
  for (const { operation } of operations()) {
    const statuses = Object.keys(operation.responses).map(Number);
    expect(statuses.some((status) => status < 400)).toBe(true);
    for (const status of statuses.filter((each) => each >= 400)) {
      expect(Object.keys(operation.responses[status]?.content ?? {})).toEqual(["application/problem+json"]);
    }
  }
});

/** Words that JavaScript, Python, Java, C#, Go, Rust, Kotlin, Swift, PHP or Ruby keep for themselves, or that are globals of Node. */
const RESERVED =
  `abstract and as assert async await base begin bool boolean break byte case catch char checked class const
continue crate debugger decimal def default defer del delegate delete do double elif else elsif end ensure enum eval event
except exec explicit export extends extern fallthrough false final finally fixed float fn for foreach from func function
global go goto guard if impl implements implicit import in include init inout instanceof int interface internal is lambda
let lock long loop macro match mod module move mut namespace native new next nil none nonlocal not null object of open
operator or out override package params pass print private process protected protocol pub public raise range readonly redo
ref rescue require retry return select self sealed short sizeof static strictfp string struct subscript super switch
synchronized this throw throws trait transient true try type typealias typeof uint ulong unchecked undef unless unsafe until
use using val var virtual void volatile when where while with xor yield`.split(/\s+/);

test("no operation has a name that a language keeps for itself, and no two have the same", { tags: ["Q9"] }, () => {
  const names = operations().map(({ operation }) => operation.operationId);
  expect(names.filter((name) => RESERVED.includes(name.toLowerCase()))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain("processArea");
});

test("bodies refer to models of geometries and conditions, and members that may be absent have their defaults", () => {
  const schemas = description.components.schemas as Record<string, { properties: Record<string, object> }>;
  expect(schemas.SearchBody?.properties).toMatchObject({
    intersects: { $ref: "#/components/schemas/GeoJsonGeometry" },
    query: { $ref: "#/components/schemas/ItemFilter" },
  });
  expect(schemas.ProcessBounds?.properties.geometry).toMatchObject({ $ref: "#/components/schemas/GeoJsonArea" });
  expect(schemas.DataFilter?.properties.mosaickingOrder).toMatchObject({ default: "mostRecent" });
  expect(schemas.Processing?.properties.resampling).toMatchObject({ default: "nearest" });
  expect(schemas.ProcessOutput?.properties).toMatchObject({
    width: { default: 256 },
    height: { default: 256 },
    format: { default: "image/tiff" },
    sampleType: { default: "AUTO" },
  });
  const { info } = description as unknown as { info: { contact: { url: string } } };
  expect(info.contact.url).toBe("http://service.test/docs");
});

test("the document asks for a key exactly where the service does", { tags: ["U4", "Q3"] }, async () => {
  for (const { method, template, operation } of operations()) {
    const path = template.replace(/\{\w+\}/g, "1");
    const response = await service.request(path, { method });
    const needed = (operation.security as unknown[]).length > 0;
    expect([method, template, response.status === 401]).toEqual([method, template, needed]);
  }
});

test("lists in a query are described as comma-separated", () => {
  for (const { operation } of operations()) {
    const parameters = (operation.parameters ?? []) as {
      schema: { type?: string };
      style?: string;
      explode?: boolean;
    }[];
    for (const { schema, style, explode } of parameters) {
      if (schema.type === "array") expect({ style, explode }).toEqual({ style: "form", explode: false });
    }
  }
});

test("an answer that the document does not describe is reported", { tags: ["Q3"] }, async () => {
  const check = new OpenApiCheck(description);
  const answer = (body: unknown, status: number, type: string): Response =>
    new Response(JSON.stringify(body), { status, headers: { "Content-Type": type } });
  const faults = (response: Response): Promise<string[]> => check.faults("GET", "/v1/health", response);
  expect(await faults(answer({ status: "fine" }, 200, "application/json"))).toHaveLength(1);
  expect(await faults(answer({}, 202, "application/json"))).toEqual(["getHealth does not describe status 202"]);
  expect(await faults(answer({}, 200, "text/html"))).toEqual(["getHealth 200 does not describe text/html"]);
  expect(await faults(answer({ title: "no" }, 500, "application/problem+json"))).toHaveLength(1);
});

const redocly = fileURLToPath(new URL("../../../../node_modules/@redocly/cli/bin/cli.js", import.meta.url));

/** The document of the full profile with accounts, which has every route. */
async function fullDocument(): Promise<unknown> {
  const host = await startEngine("sqlite");
  const node = await accountNode(await host.fresh());
  try {
    return await (await node.request("/v1/openapi.json")).json();
  } finally {
    await node.close();
    await host.stop();
  }
}

test.skipIf(!existsSync(redocly)).each([
  { name: "lean v1", document: async (): Promise<unknown> => description },
  { name: "the full profile", document: fullDocument },
])("redocly finds no error in the document of $name", { tags: ["Q4"] }, async ({ document }) => {
  const folder = mkdtempSync(join(tmpdir(), "swath-openapi-"));
  try {
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(await document()));
    const { status, stdout, stderr } = spawnSync(process.execPath, [redocly, "lint", "openapi.json"], {
      cwd: folder,
      encoding: "utf8",
      // neither reports nor updates: the check needs no network
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" },
    });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout + stderr).not.toMatch(/warning/i);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
