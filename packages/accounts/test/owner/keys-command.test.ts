import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { runKeysCommand } from "../../src/owner/keys-command.ts";
import { isSecret } from "../../src/secrets/secrets.ts";
import { openStore } from "../open-store.ts";

const START = Date.parse("2026-06-16T12:00:00Z");

describeEngines("keys", (host) => {
  const withStore = async (work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<void>): Promise<void> => {
    const store = await openStore(await host().fresh());
    try {
      await work(store);
    } finally {
      await store.close();
    }
  };

  test("the command line creates, lists, disables and rotates", () =>
    withStore(async (store) => {
      const run = async (...args: string[]) => {
        const [lines, errors]: [string[], string[]] = [[], []];
        const code = await runKeysCommand(args, {
          store,
          now: () => START,
          program: "npm run keys --",
          print: (line) => lines.push(line),
          printError: (line) => errors.push(line),
        });
        return { code, lines, errors };
      };
      const created = await run("create", "--name", "Ann of Delft");
      expect(created.code).toBe(0);
      const id = /^id +(\S+)$/.exec(created.lines[0] ?? "")?.[1] ?? "";
      const secret = /^secret +(\S+)$/.exec(created.lines[1] ?? "")?.[1] ?? "";
      expect(isSecret(secret)).toBe(true);
      await store.query("insert into usage_count(key_id, month, requests) values ($1, '2026-06', 7)", [id]);
      const listed = await run("list");
      expect(listed.lines).toEqual([
        "id                prefix    created     state   requests  name",
        `${id}  ${secret.slice(0, 8)}  2026-06-16  active  7         Ann of Delft`,
      ]);
      const rotated = await run("rotate", id, "--grace", "15");
      expect(rotated.lines.at(-1)).toBe("The old secret works for 15 minutes more.");
      const again = await run("rotate", id, "--grace", "1");
      expect(again.lines.at(-1)).toBe("The old secret works for 1 minute more.");
      expect((await run("disable", id)).code).toBe(0);
      expect((await run("list")).lines[1]).toContain("disabled");
      expect(await run("rotate", id)).toMatchObject({ code: 1, errors: [expect.stringContaining("disabled")] });
      expect(await run("disable", "nobody")).toMatchObject({ code: 1, errors: [expect.stringContaining("nobody")] });
      for (const wrong of [
        [],
        ["create"],
        ["create", "--name", " "],
        ["create", "--name", "x".repeat(65)],
        ["list", "x"],
        ["list", "--name", "x"],
        ["disable"],
        ["disable", "a", "b"],
        ["rotate", id, "--grace", "-1"],
        ["rotate", id, "--grace", "soon"],
        ["create", "--nom", "x"],
        ["steal", id],
      ]) {
        const { code, errors } = await run(...wrong);
        expect(code, wrong.join(" ")).toBe(2);
        expect(errors.at(-1)).toContain("npm run keys");
      }
    }));
});
