import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { PATIENT } from "./visitor.ts";

/** Quoted-printable (RFC 2045 section 6.7) of ASCII text. */
const decode = (text: string): string =>
  text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The mails that a service wrote to its outbox, oldest first. */
export async function mailsOf(dataDirectory: string): Promise<readonly string[]> {
  const folder = join(dataDirectory, "outbox");
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml")).sort();
  return Promise.all(names.map(async (name) => decode(await readFile(join(folder, name), "utf8"))));
}

/** Waits for one mail more than `seen`, and gives the link in it. */
export async function mailedLink(dataDirectory: string, seen: number): Promise<string> {
  await expect.poll(async () => (await mailsOf(dataDirectory)).length, PATIENT).toBe(seen + 1);
  const link = /^http\S+#token=\S+$/m.exec((await mailsOf(dataDirectory)).at(-1) ?? "")?.[0];
  if (link === undefined) throw new Error("The mail has no link.");
  return link;
}
