import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { admissionOf } from "@swath/accounts";
import { createAccess } from "@swath/accounts/hono";
import { CatalogError } from "@swath/catalog";
import { Extents } from "@swath/catalog/node";
import { linkSigner, openResultFolder } from "@swath/store/node";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { registerResults } from "../../src/routes/analysis/results.ts";
import { registerPresets } from "../../src/routes/images/presets.ts";
import { createApp } from "../../src/service/app.ts";
import type { Profile, RouteModule } from "../../src/service/profiles/profile.ts";
import { FULL, NOW } from "../tools/harness.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-parts-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** An app of one route module, with the parts of every request alone. */
function appOf(module: RouteModule): ReturnType<typeof createApp> {
  const profile: Profile = {
    modules: [module],
    access: createAccess({ authenticators: [], missingDetail: "" }),
    admission: admissionOf({ limits: { admit: async () => {} } }),
  };
  return createApp({ log: pino({ level: "silent" }), http: {} }, profile);
}

test("routes of results are made of files, links and a clock alone", async () => {
  const results = openResultFolder(folder);
  const resultLinks = linkSigner(Buffer.from("a secret"), "/v1/results");
  const { id, directory } = await results.allocate();
  await writeFile(join(directory, "a.tif"), "0123456789");
  const app = appOf((router) => registerResults(router, { results, resultLinks, now: () => NOW }));
  const { href } = resultLinks.sign("", id, "a.tif", NOW);
  const response = await app.request(`http://service.test${href}`);
  expect([response.status, await response.text()]).toEqual([200, "0123456789"]);
  expect((await app.request(`http://service.test/v1/results/${id}/a.tif`)).status).toBe(404);
  expect((await app.request("http://service.test/v1/search")).status).toBe(404);
});

test("routes of presets are made of the collections and of which are there", async () => {
  const { registry } = FULL;
  const extents = new Extents({ extent: () => Promise.reject(new CatalogError("unavailable", "It is down.")) });
  const app = appOf((router) => registerPresets(router, { registry, extents }, {}));
  const response = await app.request("http://service.test/v1/presets");
  const { presets } = (await response.json()) as { presets: readonly { id: string }[] };
  expect([response.status, presets.map(({ id }) => id).includes("ndvi")]).toEqual([200, true]);
});
