import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Mail, MailError, type Mailer } from "@swath/accounts";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { type AccountNode, accountNode, HOUR, MINUTE, nodesOn } from "./account-service.ts";

/** A mail server that fails as it is told. */
function mailServer() {
  const sent: Mail[] = [];
  const server: Mailer & { readonly sent: Mail[]; fault: Error | undefined; tries: number } = {
    sent,
    fault: undefined,
    tries: 0,
    async send(mail) {
      server.tries += 1;
      if (server.fault !== undefined) throw server.fault;
      sent.push(mail);
    },
    close: () => {},
  };
  return server;
}

const ask = async (node: AccountNode, email: string): Promise<number> =>
  (await node.send("POST", "/v1/account", { email })).status;

const rowsOf = async (node: AccountNode, table: string): Promise<number> =>
  Number((await node.store.query(`select count(*) as n from ${table}`))[0]?.n);

/** Lets the clock run, and the node look for mails that are due. */
async function pass(node: AccountNode, ms: number): Promise<void> {
  node.clock.now += ms;
  node.accounts.mails.wake();
  await node.accounts.mails.idle();
}

describeEngines("mails with links", (host) => {
  const withNode = nodesOn(host);

  test("a mail that was being sent when its process died is sent by the next one, and counts once", {
    tags: ["AC26"],
  }, async () => {
    const settings = await host().fresh();
    const clock = { now: Date.UTC(2026, 5, 16, 12) };
    const dying = await accountNode(settings, { clock, mailHangs: true });
    expect(await ask(dying, "ann@example.org")).toBe(202);
    await dying.close();
    const next = await accountNode(settings, { clock });
    try {
      await pass(next, 0);
      expect(next.mails).toHaveLength(0);
      // by then the node that was sending it would have told
      await pass(next, MINUTE);
      expect(next.mails.map(({ to }) => to)).toEqual(["ann@example.org"]);
      expect(await rowsOf(next, "mail")).toBe(0);
      expect((await next.send("POST", "/v1/account/session", { token: await next.mailedToken() })).status).toBe(201);
      await pass(next, HOUR);
      expect(next.mails).toHaveLength(1);
    } finally {
      await next.close();
    }
  });

  test("a mail that was not begun when its process ended is sent by the next one at once", {
    tags: ["AC26"],
  }, async () => {
    const settings = await host().fresh();
    const busy = await accountNode(settings, { mailHangs: true });
    // more than a node sends at a time
    for (let i = 0; i < 10; i++) expect(await ask(busy, `p${i}@example.org`)).toBe(202);
    await busy.close();
    const next = await accountNode(settings);
    try {
      await next.accounts.mails.idle();
      expect(next.mails).toHaveLength(4);
      await pass(next, MINUTE);
      expect(new Set(next.mails.map(({ to }) => to)).size).toBe(10);
    } finally {
      await next.close();
    }
  });

  test("a mail that cannot be sent is tried for an hour, and then gives its place among the five back", {
    tags: ["AC26"],
  }, () => {
    const mailer = mailServer();
    return withNode(
      async (node) => {
        mailer.fault = new MailError("unavailable");
        for (let i = 0; i < 7; i++) expect(await ask(node, "ann@example.org")).toBe(202);
        await node.accounts.mails.idle();
        expect([mailer.tries, await rowsOf(node, "mail"), await rowsOf(node, "sign_in_link")]).toEqual([5, 5, 0]);
        await pass(node, 1000);
        expect(mailer.tries).toBe(5);
        for (let minute = 0; minute < 70; minute++) await pass(node, MINUTE);
        expect([await rowsOf(node, "mail"), await rowsOf(node, "sign_in_link")]).toEqual([0, 0]);
        expect(mailer.tries).toBeGreaterThan(25);
        expect(mailer.tries).toBeLessThan(70);
        const tries = mailer.tries;
        await pass(node, HOUR);
        expect(mailer.tries).toBe(tries);
        mailer.fault = undefined;
        for (let i = 0; i < 7; i++) expect(await ask(node, "ann@example.org")).toBe(202);
        await node.accounts.mails.idle();
        expect(mailer.sent).toHaveLength(5);
        expect(node.logged.filter((line) => line.includes("a mail was not sent")).at(-1)).toContain(
          '"isTriedAgain":false',
        );
        expect(node.logged.join("")).not.toContain("ann@");
      },
      { mailer },
    );
  });

  test("a mail that is late has a link that is good for an hour from then", () => {
    const mailer = mailServer();
    return withNode(
      async (node) => {
        mailer.fault = new MailError("unavailable");
        await ask(node, "ann@example.org");
        await pass(node, 20 * MINUTE);
        mailer.fault = undefined;
        await pass(node, 20 * MINUTE);
        expect(mailer.sent).toHaveLength(1);
        node.clock.now += 59 * MINUTE;
        const token = /#token=(\w+)/.exec(mailer.sent[0]?.text ?? "")?.[1];
        expect((await node.send("POST", "/v1/account/session", { token })).status).toBe(201);
      },
      { mailer },
    );
  });

  test("a mail that the server refuses for good is not tried again, and its place is free at once", {
    tags: ["AC26"],
  }, () => {
    const mailer = mailServer();
    return withNode(
      async (node) => {
        mailer.fault = new MailError("rejected", 550);
        for (let i = 0; i < 8; i++) {
          expect(await ask(node, "ann@example.org")).toBe(202);
          await node.accounts.mails.idle();
        }
        expect([mailer.tries, await rowsOf(node, "mail")]).toEqual([8, 0]);
        // busy for now (RFC 5321): another try will do
        mailer.fault = new MailError("rejected", 450);
        await ask(node, "ann@example.org");
        await node.accounts.mails.idle();
        expect(await rowsOf(node, "mail")).toBe(1);
      },
      { mailer },
    );
  });

  test("of two nodes one sends a mail", { tags: ["AC26"] }, async () => {
    const settings = await host().fresh();
    const nodes = [await accountNode(settings), await accountNode(settings)] as const;
    try {
      for (let i = 0; i < 8; i++) await ask(nodes[i % 2] as AccountNode, `p${i}@example.org`);
      for (const { accounts } of nodes) {
        accounts.mails.wake();
        await accounts.mails.idle();
      }
      expect(nodes.flatMap(({ mails }) => mails.map(({ to }) => to)).sort()).toEqual(
        Array.from({ length: 8 }, (_, i) => `p${i}@example.org`),
      );
    } finally {
      for (const node of nodes) await node.close();
    }
  });

  test("a thousand mails wait, and one more is asked for later", () =>
    withNode(
      async (node) => {
        const rows = Array.from(
          { length: 990 },
          (_, i) => `('${i}', 'w${i}@example.org', '', 0, ${node.clock.now + HOUR}, 0)`,
        );
        await node.store.exec(`insert into mail(id, email, base, created, due, attempts) values ${rows.join(", ")}`);
        for (let i = 0; i < 10; i++) {
          const request = { email: `p${i}@example.org`, name: undefined, base: "https://m.example" };
          expect(await node.accounts.mails.request(request)).toBe("taken");
        }
        const answer = await node.send("POST", "/v1/account", { email: "late@example.org" });
        expect([answer.status, (await answer.json()).code]).toEqual([503, "upstream-unavailable"]);
        expect(answer.headers.get("Retry-After")).toBe("60");
      },
      { mailHangs: true },
    ));

  test("with a deleted account its waiting mails go, and its files in the outbox", { tags: ["AC6"] }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "swath-outbox-"));
    try {
      await withNode(
        async (node) => {
          await ask(node, "bob@example.org");
          await ask(node, "ann@example.org");
          await node.accounts.mails.idle();
          const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
          const own = texts.find((text) => text.includes("To: ann@")) ?? "";
          const token = /#token=(\w+)/.exec(own.replaceAll("=\n", "").replaceAll("=3D", "="))?.[1];
          const answer = await node.send("POST", "/v1/account/session", { token });
          const { accessToken } = await answer.json();
          await ask(node, "ann@example.org");
          await node.accounts.mails.idle();
          expect(await readdir(folder)).toHaveLength(3);
          await node.store.query(
            "insert into mail(id, email, base, created, due, attempts) values ('x', 'ann@example.org', '', 0, $1, 0)",
            [node.clock.now + HOUR],
          );
          expect((await node.send("DELETE", "/v1/account", undefined, accessToken)).status).toBe(204);
          const left = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
          expect(left).toHaveLength(1);
          expect(left[0]).toContain("To: bob@example.org");
          expect(await rowsOf(node, "mail")).toBe(0);
        },
        { outbox: folder },
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
