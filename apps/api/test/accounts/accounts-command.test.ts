import { runAccountsCommand } from "@swath/accounts/owner";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { type AccountNode, accountNode, MINUTE } from "./account-service.ts";

describeEngines("the owner's command line for accounts", (host) => {
  const run = async ({ store, clock }: AccountNode, ...args: string[]) => {
    const [lines, errors]: [string[], string[]] = [[], []];
    const code = await runAccountsCommand(args, {
      store,
      now: () => clock.now,
      keyPrefix: "swath",
      addressKey: Buffer.from("a secret of tests"),
      program: "npm run accounts --",
      print: (line) => lines.push(line),
      printError: (line) => errors.push(line),
    });
    return { code, lines, errors };
  };

  test("creates, lists, sets, suspends and resumes", async () => {
    const node = await accountNode(await host().fresh());
    try {
      const created = await run(node, "create", "--email", "Bob@Example.org", "--tier", "pro", "--key");
      expect(created.code).toBe(0);
      const value = (name: string) => created.lines.find((line) => line.startsWith(name))?.split(/ +/)[1] ?? "";
      expect(value("email")).toBe("bob@example.org");
      const secret = value("secret");
      const status = async () => {
        node.clock.now += MINUTE;
        const answer = await node.get("/v1/search?limit=1", { "X-API-Key": secret });
        return answer.status === 200 ? 200 : (await answer.json()).code;
      };
      expect(await status()).toBe("email-unverified");
      const session = await node.signIn("bob@example.org");
      expect(await status()).toBe(200);
      expect((await run(node, "list")).lines).toEqual([
        "id                        created     tier  state   keys  email",
        `${value("id")}  2026-06-16  pro   active  1     bob@example.org`,
      ]);
      expect((await run(node, "suspend", "bob@example.org")).code).toBe(0);
      expect(await status()).toBe("key-suspended");
      expect((await run(node, "list")).lines[1]).toContain("suspended");
      expect((await run(node, "resume", "BOB@example.org")).code).toBe(0);
      expect(await status()).toBe(200);
      expect((await run(node, "set", "bob@example.org", "--tier", "free")).code).toBe(0);
      expect(await (await node.send("GET", "/v1/account", undefined, session)).json()).toMatchObject({ tier: "free" });
    } finally {
      await node.close();
    }
  });

  test("what cannot be done is one line, a wrong command line its usage", async () => {
    const node = await accountNode(await host().fresh());
    try {
      await run(node, "create", "--email", "bob@example.org");
      for (const args of [
        ["create", "--email", "BOB@example.org"],
        ["set", "eve@example.org", "--tier", "pro"],
        ["suspend", "eve@example.org"],
        ["resume", "eve@example.org"],
      ])
        expect(await run(node, ...args)).toMatchObject({ code: 1, errors: [expect.stringContaining("@example.org")] });
      for (const args of [
        [],
        ["create"],
        ["create", "bob@example.org"],
        ["create", "--email", "bob"],
        ["create", "--email", "a@example.org", "--tier", "gold"],
        ["list", "x"],
        ["list", "--tier", "pro"],
        ["set", "bob@example.org"],
        ["set", "--tier", "pro"],
        ["suspend"],
        ["suspend", "a@example.org", "b@example.org"],
        ["suspend", "bob@example.org", "--key"],
        ["remove", "bob@example.org"],
        ["list", "--all"],
      ]) {
        const { code, errors } = await run(node, ...args);
        expect([args.join(" "), code, errors.at(-1)]).toEqual([
          args.join(" "),
          2,
          expect.stringContaining("npm run accounts"),
        ]);
      }
      expect(await node.accounts.accounts.list()).toHaveLength(1);
    } finally {
      await node.close();
    }
  });
});
