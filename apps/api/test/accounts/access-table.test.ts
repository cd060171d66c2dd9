import { join } from "node:path";
import { accessStatus, type RouteAccess } from "@swath/accounts/hono";
import type { Store } from "@swath/store";
import type { PathFacts } from "@swath/web";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EngineHost, startEngine } from "../../../../test/tools/engines.ts";
import type { Router } from "../../src/http/request/route.ts";
import { LEGACY } from "../../src/http/request/route-access.ts";
import { openStore } from "../../src/open/open-store.ts";
import { createApp } from "../../src/service/app.ts";
import { FULL, KEY, sandboxServices } from "../tools/harness.ts";
import { ACCESS_CLASSES, accessClassOf, CALLERS, type Caller } from "./access-classes.ts";
import { type AccountNode, accountNode, linkFor, SITE } from "./account-service.ts";
import { accountsOn, type TestAccounts } from "./accounts-on.ts";

const names = Object.keys(CALLERS) as Caller[];
const host: EngineHost = await startEngine("sqlite");
const settings = await host.fresh();

/** Every path of the full profile, with accounts, and with the legacy hosts' mounts. */
async function allPaths(): Promise<readonly PathFacts<RouteAccess>[]> {
  const node = await accountNode(settings);
  const { units, close } = accountsOn(node.store);
  const services = await sandboxServices({ registry: FULL.registry, accounts: node.accounts, units });
  const profile = FULL.create(services);
  let router: Router | undefined;
  createApp(services, {
    ...profile,
    modules: [
      ...profile.modules,
      (each) => {
        router = each;
      },
    ],
  });
  await close();
  await node.close();
  return [
    ...(router as Router).paths.list(),
    { template: "/legacy/stac/collections", methods: ["GET"], facts: LEGACY },
    { template: "/legacy/tiles/", methods: ["GET"], facts: LEGACY },
  ];
}
const paths = await allPaths();

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

function accessPage(): string {
  const WORDS = { 200: "yes", 401: "401", 403: "403" } as const;
  const classes = Object.entries(ACCESS_CLASSES);
  const byClass = table(
    ["", ...classes.map(([name]) => name)],
    names.map((name) => [name, ...classes.map(([, { access }]) => WORDS[accessStatus(access, CALLERS[name])])]),
  );
  const summaries = classes.map(([name, { summary }]) => `- **${name}**: ${summary}`).join("\n");
  const byRoute = table(
    ["route", "class"],
    paths.map(({ template, methods, facts }) => [
      `\`${methods.filter((each) => each !== "HEAD").join(", ")} ${template}\``,
      accessClassOf(facts),
    ]),
  );
  return `# Who may call what

Made by \`apps/api/test/accounts/access-table.test.ts\` from the table that the router checks (\`RouteAccess\` of \`@swath/accounts/hono\`), in which every cell is
requested. \`npx vitest run apps/api/test/accounts/access-table.test.ts -u\` writes it anew.

A credential that is wrong, expired or revoked is 401 wherever one is read, also where none is needed. Without accounts
(\`SWATH_ACCOUNTS=off\`, and in lean v1) there are keys of the owner alone.

${byClass}

${summaries}

Routes of the class *map* read the map token in their address and no header: with one that is good they answer everybody who has it.

\`/v1/wmts\` is *images* for \`GetTile\`, and public for everything else. TileJSON is *images* where \`rescale\` names percentiles, which are
read of the scenes in view.

${byRoute}
`;
}

test("the page of the documentation is the table", { tags: ["AC16"] }, async () => {
  const page = join(import.meta.dirname, "../../../../docs/access.md");
  await expect(accessPage()).toMatchFileSnapshot(page);
});

describe("every cell is requested", () => {
  let node: AccountNode;
  let made = 0;
  let accounts: TestAccounts;
  let unitStore: Store;
  beforeAll(async () => {
    unitStore = await openStore(settings);
    accounts = accountsOn(unitStore);
    node = await accountNode(settings, { services: { tileCacheBytes: 1e8, units: accounts.units } });
  });
  afterAll(async () => {
    await accounts.close();
    await unitStore.close();
    await node.close();
    await host.stop();
  });

  /** Headers of a caller with a fresh account, since some routes end what they are called with. */
  async function headersOf(name: Caller): Promise<Record<string, string>> {
    const { accounts } = node;
    if (name === "nothing") return {};
    if (name === "owner's key") return { "X-API-Key": KEY };
    if (name === "guest token") return { Authorization: `Bearer ${await accounts.tokens.issueGuest(undefined)}` };
    const link = await linkFor(node.store, `p${made++}@example.org`, node.clock.now);
    const signedIn = await accounts.signIn.redeem(link);
    if (signedIn?.session === undefined) throw new Error("no session");
    if (name === "session") return { Authorization: `Bearer ${signedIn.session}` };
    const [kind, scope] = name.split(", ") as ["key" | "OAuth token", "data" | "account"];
    const { id } = signedIn.account;
    const { key, secret } = await accounts.keys.create(id, { name, scopes: [scope], expires: undefined, max: 2 });
    if (kind === "key") return { "X-API-Key": secret };
    return { Authorization: `Bearer ${await accounts.tokens.issue(key.id, id, [scope])}` };
  }

  /** Values for the names of templates: what is there, so that a caller who may ask gets an answer. */
  const VALUES: Readonly<Record<string, string>> = {
    collectionId: "sentinel-2-l2a",
    presetId: "true-color",
    tileMatrixSetId: "WebMercatorQuad",
    z: "9",
    x: "275",
    y: "182",
    format: "png",
    code: "invalid-key",
  };
  const QUERIES: Readonly<Record<string, string>> = {
    "/v1/wmts":
      "?SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=true-color&STYLE=default&TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=9&TILEROW=182&TILECOL=275&FORMAT=image/png",
  };

  async function ask({ template }: PathFacts<RouteAccess>, method: string, headers: Record<string, string>) {
    const path = template.replace(/\{(\w+)\*?\}/g, (_, name: string) => VALUES[name] ?? "none");
    const isBody = method === "POST" || method === "PATCH";
    const body = template === "/v1/guest" ? "" : "{}";
    const answer = await node.unchecked(`${SITE}${path}${QUERIES[template] ?? ""}`, {
      method,
      headers: {
        ...headers,
        ...(isBody ? { "Content-Type": "application/json" } : {}),
        "X-Forwarded-For": `198.51.100.${made % 250}`,
      },
      ...(isBody ? { body } : {}),
    });
    const text = await answer.text();
    const hasProblem = answer.status >= 400 && method !== "HEAD";
    const problem = hasProblem ? (JSON.parse(text) as { code?: string; detail?: string }) : {};
    return { status: answer.status, ...problem };
  }

  const cells = paths.flatMap((path) =>
    path.methods.map((method) => ({ path, method, name: `${method} ${path.template}` })),
  );

  test.each(cells)("$name", { tags: ["AC16"] }, async ({ path, method }) => {
    const without = await ask(path, method, await headersOf("nothing"));
    for (const name of names) {
      const headers = await headersOf(name);
      const { status, code, detail } = await ask(path, method, headers);
      const expected = accessStatus(path.facts, CALLERS[name]);
      const cell = `${name}: ${status} ${code ?? ""}`;
      expect(status, cell).toBeLessThan(500);
      if (path.facts === LEGACY) expect(status, cell).toBe(expected === 200 ? 200 : 403);
      else if (expected === 401) expect([status, code ?? "invalid-key"], cell).toEqual([401, "invalid-key"]);
      else if (expected === 403)
        expect([status, code ?? "insufficient-scope"], cell).toEqual([403, "insufficient-scope"]);
      else if (accessClassOf(path.facts) === "public")
        expect([status, code], cell).toEqual([without.status, without.code]);
      else if (name === "nothing" && status === 401)
        expect(detail ?? "finished already", cell).toContain("finished already");
      else expect([401, 403], cell).not.toContain(status);
    }
  });

  test("wrong credentials are 401 on every route that reads one, and not read on the others", {
    tags: ["AC16"],
  }, async () => {
    for (const { path, method } of cells) {
      for (const headers of [{ "X-API-Key": "wrong" }, { Authorization: "Bearer wrong" }] as Record<string, string>[]) {
        const { status } = await ask(path, method, headers);
        const without = await ask(path, method, {});
        const expected = accessClassOf(path.facts) === "public" ? without.status : path.facts === LEGACY ? 403 : 401;
        expect([method, path.template, status]).toEqual([method, path.template, expected]);
      }
      node.clock.now += 10_000;
    }
  });
});
