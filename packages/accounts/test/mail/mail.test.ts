import { mkdtemp, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MailError } from "../../src/mail/mailer.ts";
import { outbox } from "../../src/mail/outbox.ts";
import { signInMail } from "../../src/mail/sign-in-mail.ts";
import { smtpMailer } from "../../src/mail/smtp-mailer.ts";
import { parseEmailAddress } from "../../src/people/email-address.ts";

const FROM = "Swath <swath@maps.example>";
const SECRET = "0123456789ABCDEFGHIJabcdefghijklmnopqrst";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-outbox-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Headers and bodies of the mails in the folder. */
async function readMails(from = folder): Promise<{ readonly head: string; readonly body: string }[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith(".eml")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(from, name), "utf8");
      const end = text.indexOf("\n\n");
      return { head: text.slice(0, end), body: text.slice(end) };
    }),
  );
}

test("a mail is plain text and HTML with the link alone, in a file for its owner's eyes", async () => {
  const box = outbox(join(folder, "outbox"), FROM);
  await box.send(signInMail("ann@example.org", "https://maps.example", SECRET));
  const [{ head, body } = { head: "", body: "" }] = await readMails(join(folder, "outbox"));
  expect(head).toMatch(/^From: Swath <swath@maps\.example>$/m);
  expect(head).toMatch(/^To: ann@example\.org$/m);
  expect(head).toMatch(/^Subject: Sign in at maps\.example$/m);
  expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(head).toMatch(/^Content-Type: multipart\/alternative/m);
  expect(body.replaceAll("=\n", "").replaceAll("=3D", "=")).toContain(`https://maps.example/account#token=${SECRET}`);
  const [name = ""] = await readdir(join(folder, "outbox"));
  expect((await stat(join(folder, "outbox", name))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, "outbox"))).mode & 0o777).toBe(0o700);
});

test("the link of a service on this machine is one line of the file", async () => {
  await outbox(folder, FROM).send(signInMail("ann@example.org", "http://127.0.0.1:8080", SECRET));
  const [{ body } = { body: "" }] = await readMails();
  expect(body.split("\n")).toContain(`http://127.0.0.1:8080/account#token=${SECRET}`);
});

test("mails of more than a day ago are removed", async () => {
  const box = outbox(folder, FROM);
  for (const to of ["ann@example.org", "bob@example.org"]) await box.send(signInMail(to, "https://m.example", SECRET));
  const [first = ""] = await readdir(folder);
  const now = Date.now();
  await utimes(join(folder, first), new Date(now - 90_000_000), new Date(now - 90_000_000));
  await box.removeExpired(now);
  expect(await readdir(folder)).toHaveLength(1);
  await outbox(join(folder, "none"), FROM).removeExpired(now);
});

test("mails to one address are removed, and to no other", { tags: ["AC6"] }, async () => {
  const box = outbox(folder, FROM);
  for (const to of ["ann@example.org", "bob@example.org", "joann@example.org"]) {
    await box.send(signInMail(to, "https://m.example", SECRET));
  }
  await box.forget?.("ann@example.org");
  const receivers = (await readMails()).map(({ head }) => /^To: (.*)$/m.exec(head)?.[1]);
  expect(receivers.sort()).toEqual(["bob@example.org", "joann@example.org"]);
  await outbox(join(folder, "none"), FROM).forget?.("ann@example.org");
});

const HOSTILE = [
  "ann@example.org\r\nBcc: eve@evil.example",
  "ann@example.org\nSubject: won",
  "ann@example.org, eve@evil.example",
  "ann@example.org; eve@evil.example",
  "<eve@evil.example> ann@example.org",
  '"eve@evil.example" ann@example.org',
  "ann@example.org\u2028Bcc: eve@evil.example",
  "ann\u0000@example.org",
  "ann@example.org (eve@evil.example)",
];

test.each(HOSTILE)("the receiver %j is refused", async (to) => {
  expect(parseEmailAddress(to)).toBeUndefined();
  const mail = { ...signInMail("ann@example.org", "https://m.example", SECRET), to };
  await expect(outbox(folder, FROM).send(mail)).rejects.toThrow(RangeError);
  await expect(smtpMailer({ host: "127.0.0.1", port: 1, tls: "off" }, FROM).send(mail)).rejects.toThrow();
  expect(await readdir(folder)).toEqual([]);
});

test("whatever is taken for an address makes one receiver and no further header", { tags: ["AC3"] }, async () => {
  const part = fc.string({ unit: fc.constantFrom(..."ab.+-_'*=!#$%&/?^`{|}~@<>,;: \"()[]\\\r\n\t"), maxLength: 12 });
  const addresses = fc.tuple(part, part).map(([local, more]) => `${local}@ex${more}ample.org`);
  await fc.assert(
    fc.asyncProperty(fc.oneof(addresses, fc.emailAddress(), fc.string()), async (text) => {
      const to = parseEmailAddress(text);
      if (to === undefined) return;
      const box = outbox(join(folder, "each"), FROM);
      await box.send(signInMail(to, "https://m.example", SECRET));
      const [{ head } = { head: "" }] = await readMails(join(folder, "each"));
      const unfolded = head.replaceAll(/\n[ \t]+/g, " ");
      expect(unfolded.split("\n").map((line) => line.split(":")[0])).toEqual([
        "Auto-Submitted",
        "From",
        "To",
        "Subject",
        "Message-ID",
        "Date",
        "MIME-Version",
        "Content-Type",
      ]);
      expect(/^To: (.*)$/m.exec(unfolded)?.[1]).toBe(to);
      await rm(join(folder, "each"), { recursive: true });
    }),
    { numRuns: 300 },
  );
});

/** A mail server of a few lines: takes mails for everybody but `nobody@…`, and knows no TLS. */
async function smtpServer(): Promise<{ port: number; taken: string[]; close(): Promise<void> }> {
  const taken: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let isData = false;
    let text = "";
    socket.on("error", () => {});
    socket.write("220 mail.example\r\n");
    socket.on("data", (chunk) => {
      text += chunk.toString();
      for (;;) {
        const end = isData ? text.indexOf("\r\n.\r\n") : text.indexOf("\r\n");
        if (end < 0) return;
        const line = text.slice(0, end);
        text = text.slice(end + (isData ? 5 : 2));
        if (isData) {
          taken.push(line);
          isData = false;
          socket.write("250 ok\r\n");
        } else if (/^STARTTLS/i.test(line)) socket.write("502 command not implemented\r\n");
        else if (/^RCPT TO:<nobody@/i.test(line)) socket.write("550 no such user nobody@example.org\r\n");
        else if (/^DATA/i.test(line)) {
          isData = true;
          socket.write("354 go on\r\n");
        } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
        else socket.write("250 ok\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

describe("by SMTP", () => {
  let server: Awaited<ReturnType<typeof smtpServer>>;
  beforeEach(async () => {
    server = await smtpServer();
  });
  afterEach(() => server.close());

  test("a mail is handed in, and one that is refused is an error that names nobody", async () => {
    const mailer = smtpMailer({ host: "127.0.0.1", port: server.port, tls: "off" }, FROM);
    await mailer.send(signInMail("ann@example.org", "https://m.example", SECRET));
    expect(server.taken).toHaveLength(1);
    expect(server.taken[0]).toContain("To: ann@example.org");
    const refused = await mailer
      .send(signInMail("nobody@example.org", "https://m.example", SECRET))
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MailError);
    expect(refused).toMatchObject({ code: "rejected", reply: 550 });
    expect(`${(refused as Error).stack} ${JSON.stringify(refused)}`).not.toContain("nobody");
    mailer.close();
  });

  test("nothing is sent to a server without TLS unless the settings say so", async () => {
    const mailer = smtpMailer({ host: "127.0.0.1", port: server.port, tls: "required" }, FROM);
    const sent = mailer.send(signInMail("ann@example.org", "https://m.example", SECRET));
    await expect(sent).rejects.toMatchObject({ code: "unavailable" });
    expect(server.taken).toEqual([]);
    mailer.close();
  });

  test("a server that is not there is an error", async () => {
    await server.close();
    const mailer = smtpMailer({ host: "127.0.0.1", port: server.port, tls: "off" }, FROM);
    const sent = mailer.send(signInMail("ann@example.org", "https://m.example", SECRET));
    await expect(sent).rejects.toMatchObject({ name: "MailError", code: "unavailable" });
    mailer.close();
  });
});
