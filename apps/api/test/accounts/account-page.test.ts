import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { FULL, LEAN, testService } from "../tools/harness.ts";
import { accountNode, SITE } from "./account-service.ts";

const rels = async (answer: Response): Promise<Record<string, string>> => {
  const { links } = (await answer.json()) as { links: { rel: string; href: string }[] };
  return Object.fromEntries(links.map(({ rel, href }) => [rel, href]));
};

describeEngines("the account page", (host) => {
  test("the landing page links it where the service has accounts", { tags: ["AC21"] }, async () => {
    const node = await accountNode(await host().fresh());
    try {
      expect(await rels(await node.request("/v1"))).toHaveProperty("account", `${SITE}/account`);
      const page = await node.request("/account");
      expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect((await node.request("/account", { method: "POST" })).status).toBe(405);
    } finally {
      await node.close();
    }
  });
});

test.each([
  { name: "full", profile: FULL },
  { name: "lean", profile: LEAN },
])("the $name profile without accounts has neither the page nor a link to it", async ({ profile }) => {
  const service = await testService({}, { profile });
  expect(await rels(await service.request("/v1"))).not.toHaveProperty("account");
  expect((await service.request("/account")).status).toBe(404);
});
