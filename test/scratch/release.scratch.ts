import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, inject, test } from "vitest";
import { published } from "../workspace.ts";
import { demand } from "./host.ts";

interface Sent {
  readonly id: string;
  readonly integrity: string;
  readonly filename: string;
  readonly entryCount: number;
}

const tarballs = inject("tarballs");
const scratch = inject("scratch");

test.each(published)(
  "npm would publish $manifest.name from the very file that the tests here install",
  async ({ manifest }) => {
    const file = tarballs[manifest.name] ?? "";
    const printed = await demand("npm", ["publish", file, "--access", "public", "--dry-run", "--json"], {
      cwd: scratch,
    });
    const answer = JSON.parse(printed.slice(printed.indexOf("{"))) as Sent | Record<string, Sent>;
    const sent = "integrity" in answer ? (answer as Sent) : (Object.values(answer)[0] as Sent);
    const hash = createHash("sha512")
      .update(await readFile(file))
      .digest("base64");
    expect(sent.id).toBe(`${manifest.name}@${manifest.version}`);
    expect(sent.integrity).toBe(`sha512-${hash}`);
    const lock = JSON.parse(await readFile(`${scratch}/package-lock.json`, "utf8")) as {
      packages: Record<string, { integrity?: string }>;
    };
    expect(lock.packages[`node_modules/${manifest.name}`]?.integrity).toBe(sent.integrity);
  },
);
