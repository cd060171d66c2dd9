import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../test/tools/characters.ts";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { accountModules } from "../../src/service/profiles/account-modules.ts";
import { FULL, LEAN, sandboxServices, testService } from "../tools/harness.ts";
import { accountNode, MINUTE, nodesOn, SITE } from "./account-service.ts";

const FOREIGN = "https://elsewhere.example";
const ROUTES = [
  ["POST", "/v1/account"],
  ["GET", "/v1/account"],
  ["PATCH", "/v1/account"],
  ["DELETE", "/v1/account"],
  ["POST", "/v1/account/session"],
  ["DELETE", "/v1/account/session"],
  ["POST", "/v1/keys"],
  ["GET", "/v1/keys"],
  ["GET", "/v1/keys/x"],
  ["DELETE", "/v1/keys/x"],
  ["POST", "/oauth/token"],
  ["GET", "/.well-known/oauth-authorization-server"],
  ["GET", "/.well-known/oauth-protected-resource"],
  ["GET", "/.well-known/oauth-protected-resource/mcp"],
  ["POST", "/v1/guest"],
] as const;

test.each([
  { name: "lean v1", profile: LEAN },
  { name: "a service without accounts", profile: FULL },
])(
  "$name has none of the routes, takes keys of the owner, and names no other scheme",
  { tags: ["AC20"] },
  async ({ profile }) => {
    const service = await testService({}, { profile });
    for (const [method, path] of ROUTES) {
      const answer = await service.request(path, { method });
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    expect((await service.get("/v1/search?limit=1")).status).toBe(200);
    const refused = await service.request("/v1/process/jobs/x");
    expect(refused.headers.get("WWW-Authenticate")).toBe('ApiKey header="X-API-Key"');
    expect(accountModules(await sandboxServices())).toEqual([]);
  },
);

const ROOT = join(import.meta.dirname, "../../../..");

test("each line of the threat model names a test that is there", () => {
  const document = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
  const [, section = ""] = document.split("### Threats");
  const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)]
    .map(([, threat = "", , named = ""]) => ({ threat: threat.trim(), named: named.trim() }))
    .filter(({ threat }) => threat !== "threat" && !threat.startsWith("---"));
  expect(rows.length).toBeGreaterThan(15);
  const missing = rows.filter(({ named }) => {
    const [, file = "", title = ""] = /^`([\w-]+)`: (.+)$/.exec(named) ?? [];
    const folders = ["apps/api", "packages/accounts", "packages/store"];
    const paths = globSync(`{${folders.join()}}/test/**/${file}.test.ts`, { cwd: ROOT });
    return title === "" || !paths.some((path) => readFileSync(join(ROOT, path), "utf8").includes(title));
  });
  expect(missing).toEqual([]);
});

describeEngines("security of accounts", (host) => {
  const withNode = nodesOn(host);

  test("session routes are closed to pages of other websites, data routes open to all", { tags: ["AC17"] }, () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      const ask = (method: string, path: string, origin: string) =>
        node.request(path, { method, headers: { Origin: origin, Authorization: `Bearer ${session}` } });
      for (const [method, path] of [
        ["GET", "/v1/account"],
        ["POST", "/v1/account"],
        ["PATCH", "/v1/account"],
        ["DELETE", "/v1/account"],
        ["POST", "/v1/account/session"],
        ["DELETE", "/v1/account/session"],
        ["GET", "/v1/account/sessions"],
        ["DELETE", "/v1/account/sessions/0123456789abcdef"],
        ["GET", "/v1/keys"],
        ["POST", "/v1/keys"],
        ["DELETE", "/v1/keys/0123456789abcdef"],
        ["POST", "/v1/guest"],
      ] as const) {
        for (const origin of [FOREIGN, "null", "https://service.test", `${SITE}.evil.example`]) {
          const answer = await ask(method, path, origin);
          expect([method, path, answer.status, (await answer.json()).code]).toEqual([
            method,
            path,
            403,
            "origin-not-allowed",
          ]);
          expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
          const preflight = await node.request(path, {
            method: "OPTIONS",
            headers: { Origin: origin, "Access-Control-Request-Method": method },
          });
          expect(preflight.headers.get("Access-Control-Allow-Origin")).toBeNull();
          expect([preflight.status, await preflight.text()]).toEqual([204, ""]);
        }
      }
      const own = await ask("GET", "/v1/account", SITE);
      expect([own.status, own.headers.get("Access-Control-Allow-Origin")]).toEqual([200, SITE]);
      const preflight = await node.request("/v1/account", {
        method: "OPTIONS",
        headers: { Origin: SITE, "Access-Control-Request-Method": "PATCH" },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe(SITE);
      expect(preflight.headers.get("Access-Control-Allow-Methods")).toContain("PATCH");
      for (const path of ["/v1/search?limit=1", "/v1/collections"]) {
        for (const origin of [FOREIGN, SITE]) {
          const answer = await ask("GET", path, origin);
          expect([path, answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([path, 200, "*"]);
        }
      }
    }),
  );

  test.each(["/v1/guest/", "/v1/%67uest", "/v1/account/", "/v1/account/session/", "/v1/accoun%74"])(
    "%s, another spelling of a closed route, is closed too",
    (path) =>
      withNode(async (node) => {
        const answer = await node.unchecked(`${SITE}${path}`, { method: "POST", headers: { Origin: FOREIGN } });
        expect([answer.status, (await answer.json()).code]).toEqual([403, "origin-not-allowed"]);
      }),
  );

  test("no answer sets a cookie or allows one to be sent", { tags: ["AC17"] }, () =>
    withNode(async (node) => {
      await node.send("POST", "/v1/account", { email: "ann@example.org" }, undefined, { Origin: SITE });
      const body = { token: await node.mailedToken() };
      const answer = await node.send("POST", "/v1/account/session", body, undefined, { Origin: SITE });
      expect(answer.headers.get("Set-Cookie")).toBeNull();
      expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
    }),
  );

  test.each([
    { url: "http://evil.example/v1/account", sites: [], base: undefined },
    { url: "http://localhost.evil.example/v1/account", sites: [], base: undefined },
    { url: "http://127.0.0.1.evil.example/v1/account", sites: [], base: undefined },
    { url: "http://192.0.2.1/v1/account", sites: [], base: undefined },
    { url: "http://maps.example/v1/account", sites: ["https://maps.example"], base: undefined },
    { url: "https://maps.example/v1/account", sites: ["https://maps.example"], base: "https://maps.example" },
    { url: "http://localhost:8080/v1/account", sites: [], base: "http://localhost:8080" },
    { url: "http://127.0.0.1:8080/v1/account", sites: [], base: "http://127.0.0.1:8080" },
    { url: "http://[::1]:8080/v1/account", sites: [], base: "http://[::1]:8080" },
  ])("without a public address, $url mails a link to $base", { tags: ["AC3"] }, ({ url, sites, base }) =>
    withNode(
      async (node) => {
        const answer = await node.unchecked(url, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ email: "ann@example.org" }),
        });
        await node.accounts.mails.idle();
        if (base === undefined) {
          expect([answer.status, (await answer.json()).code, node.mails]).toEqual([403, "origin-not-allowed", []]);
        } else {
          expect(answer.status).toBe(202);
          expect(node.mails[0]?.text).toContain(`\n${base}/account#token=`);
        }
      },
      { services: { http: { siteOrigins: sites } } },
    ),
  );

  test("with a public address links lead there, whatever the Host of the request", { tags: ["AC3"] }, () =>
    withNode(async (node) => {
      await node.unchecked("http://evil.example/v1/account", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Forwarded-Host": "evil.example" },
        body: JSON.stringify({ email: "ann@example.org" }),
      });
      await node.accounts.mails.idle();
      expect(node.mails[0]?.text).toContain(`${SITE}/account#token=`);
      expect(JSON.stringify(node.mails)).not.toContain("evil");
    }),
  );

  test("an answer does not wait for the mail", { tags: ["AC2"] }, async () => {
    const node = await accountNode(await host().fresh(), { mailHangs: true });
    try {
      expect((await node.send("POST", "/v1/account", { email: "ann@example.org" })).status).toBe(202);
    } finally {
      await node.close();
    }
  });

  test("what the asker wrote is not in the mail", { tags: ["AC3"] }, () =>
    withNode(async (node) => {
      await node.send("POST", "/v1/account", { email: "ann@example.org", name: "You won! https://evil.example" });
      await node.accounts.mails.idle();
      expect(node.mails).toHaveLength(1);
      expect(JSON.stringify(node.mails)).not.toMatch(/evil|won/);
    }),
  );

  test("no secret and no address of the run is in log, metrics or store", { tags: ["AC19"] }, () =>
    withNode(async (node) => {
      const secrets: string[] = ["ann-of-delft"];
      await node.send("POST", "/v1/account", { email: "ann-of-delft@example.org" });
      const link = await node.mailedToken();
      const session = (await (await node.send("POST", "/v1/account/session", { token: link })).json()).accessToken;
      const key = await node.createKey(session);
      const form = (secret: string) => ({
        method: "POST",
        body: new URLSearchParams({ grant_type: "client_credentials", client_id: key.id, client_secret: secret }),
      });
      const token = (await (await node.request("/oauth/token", form(key.secret))).json()).access_token;
      const guest = (await (await node.send("POST", "/v1/guest")).json()).accessToken;
      secrets.push(link, session, key.secret, key.secret.slice(6), token, guest);
      expect(new Set(secrets).size).toBe(7);
      for (const secret of secrets) {
        const wrong = `${secret.slice(0, -3)}xyz`;
        secrets.length < 20 && secrets.push(wrong);
        for (const each of [secret, wrong]) {
          await node.get("/v1/search?limit=1", { "X-API-Key": each });
          await node.send("GET", "/v1/account", undefined, each);
          await node.send("GET", "/v1/account", undefined, `basic//${each}`);
          await node.send("POST", "/v1/account/session", { token: each });
          await node.request("/oauth/token", form(each));
        }
      }
      // failures of the store are logged whole
      const { query } = node.store;
      node.store.query = () => Promise.reject(new Error("the store is away"));
      node.clock.now += MINUTE;
      for (const secret of secrets) await node.send("GET", "/v1/account", undefined, secret);
      node.store.query = query;
      expect(node.logged.some((line) => line.includes("the store is away"))).toBe(true);
      const tables = [
        "account",
        "account_key",
        "sign_in_link",
        "access_token",
        "address_count",
        "usage_count",
        "setting",
      ];
      const rows = await Promise.all(tables.map((table) => node.store.query(`select * from ${table}`)));
      const places = {
        log: node.logged.join("\n"),
        metrics: await node.metrics.text(),
        store: JSON.stringify(rows),
      };
      expect(places.log).toContain(key.id);
      expect(places.metrics).toContain("swath_account_events_total");
      for (const [place, text] of Object.entries(places)) {
        // of an account's holder the store keeps the address alone
        const hits = secrets.slice(place === "store" ? 1 : 0).filter((secret) => text.includes(secret));
        expect([place, hits]).toEqual([place, []]);
      }
    }),
  );

  test("metrics count what happened, and refusals by their code", () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      await node.signIn("ann@example.org");
      const { id, secret } = await node.createKey(session);
      const body = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
      await node.request("/oauth/token", { method: "POST", body });
      await node.send("POST", "/v1/guest");
      await node.get("/v1/search", { "X-API-Key": "wrong" });
      await node.get("/v1/account", { "X-API-Key": secret });
      const text = await node.metrics.text();
      for (const [event, count] of Object.entries({ link: 2, "sign-up": 1, "sign-in": 2, key: 1, token: 1, guest: 1 }))
        expect(text).toContain(`swath_account_events_total{event="${event}"} ${count}`);
      expect(text).toContain('swath_refused_total{code="invalid-key"} 1');
      expect(text).toContain('swath_refused_total{code="insufficient-scope"} 1');
    }));

  test("bodies over 64 KiB are 413 on every route that takes one", { tags: ["AC19"] }, () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      const large = JSON.stringify({ name: "x".repeat(65_536) });
      for (const [method, path] of [
        ["POST", "/v1/account"],
        ["PATCH", "/v1/account"],
        ["POST", "/v1/account/session"],
        ["POST", "/v1/keys"],
        ["POST", "/v1/guest"],
      ] as const)
        expect([path, (await node.send(method, path, large, session)).status]).toEqual([path, 413]);
    }),
  );

  test("whatever is sent, nothing is a server error", { tags: ["AC19"] }, () =>
    withNode(async (node) => {
      const session = await node.signIn("ann@example.org");
      const text = fc.oneof(
        fc.string(),
        fc.string({ unit: anyCharacter }),
        fc.constantFrom("\u0000", "\ud800", "a@b.c", "' or 1=1 --", "%00", "x".repeat(3000)),
      );
      const body = fc.oneof(
        fc.json(),
        fc.record(
          {
            email: fc.oneof(text, fc.emailAddress()),
            name: text,
            token: text,
            scopes: fc.array(fc.oneof(text, fc.constantFrom("data", "account"))),
            expiresInDays: fc.oneof(fc.double(), fc.integer()),
          },
          { requiredKeys: [] },
        ),
        text,
      );
      const header = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });
      const route = fc.constantFrom(
        ...ROUTES.filter(([method, path]) => method !== "DELETE" || path !== "/v1/account"),
      );
      await fc.assert(
        fc.asyncProperty(
          route,
          body,
          header,
          fc.boolean(),
          text,
          async ([method, path], value, sent, withSession, id) => {
            node.clock.now += MINUTE;
            const hasBody = method === "POST" || method === "PATCH";
            const headers = new Headers({
              "Content-Type": path === "/oauth/token" ? "application/x-www-form-urlencoded" : "application/json",
              Authorization: withSession && !path.endsWith("session") ? `Bearer ${session}` : sent,
            });
            const address = path.replace(/x$/, encodeURIComponent(id.isWellFormed() ? id : "id") || "x");
            const payload = typeof value === "string" ? value : JSON.stringify(value);
            const answer = await node.unchecked(`${SITE}${address}`, {
              method,
              headers,
              ...(hasBody ? { body: payload } : {}),
            });
            expect(answer.status, `${method} ${address} ${payload}`).toBeLessThan(500);
          },
        ),
        { numRuns: 200 },
      );
    }),
  );
});
