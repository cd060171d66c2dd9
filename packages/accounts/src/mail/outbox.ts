import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TransportConfig } from "nodemailer";
import type { Mail, Mailer } from "./mailer.ts";
import { composeMessage } from "./message.ts";

/** Time for which mails stay, milliseconds: the links in them are good for an hour. */
const KEPT_MS = 86_400_000;

/** Mails as files in a folder. */
export interface Outbox extends Mailer {
  /** Removes mails of more than a day ago. */
  removeExpired(now: number): Promise<void>;
}

const WRITING = {
  streamTransport: true,
  buffer: true,
  newline: "unix",
  disableFileAccess: true,
  disableUrlAccess: true,
} satisfies TransportConfig;

/** The address in the header of a mail that is written here. */
function receiverOf(message: string): string | undefined {
  const [head = ""] = message.split("\n\n");
  return /^To: (.*)$/m.exec(head)?.[1];
}

/** Writes each mail as an `.eml` file, which only its owner may read, in place of a mail server. */
export function outbox(folder: string, from: string): Outbox {
  return {
    async send(mail: Mail) {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport(WRITING);
      const { message } = await transport.sendMail(composeMessage(mail, from));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replaceAll(":", "-")}-${randomBytes(4).toString("hex")}`;
      // whoever watches the folder sees whole files alone
      await writeFile(join(folder, `${name}.part`), message as Buffer, { mode: 0o600 });
      await rename(join(folder, `${name}.part`), join(folder, `${name}.eml`));
    },
    close() {},
    async forget(to) {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const head = await readFile(path, "utf8").catch(() => "");
        if (receiverOf(head) === to) await rm(path, { force: true });
      }
    },
    async removeExpired(now) {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const facts = await stat(path).catch(() => undefined);
        if (facts !== undefined && facts.mtimeMs < now - KEPT_MS) await rm(path, { force: true });
      }
    },
  };
}
