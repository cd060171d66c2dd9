import { createHmac, randomBytes } from "node:crypto";
import { keepSetting } from "../settings.ts";
import type { Store } from "../store.ts";
import { secretFile } from "./secret-file.ts";

/** Name of the setting and of the file: links to results were signed with it first. */
const NAME = "results-secret";

/**
 * The secret of an installation, made once: in the store that its nodes share, or in the data directory of its one
 * machine, so that a copy of the state file alone does not have it.
 */
export async function installationSecret(store: Store, dataDir: string): Promise<Buffer> {
  if (store.engine === "sqlite") return secretFile(dataDir, NAME);
  return Buffer.from(await keepSetting(store, NAME, randomBytes(32).toString("hex"), Date.now()), "hex");
}

/** A secret for one purpose, which says nothing of those for others (HMAC-SHA256 of the purpose's name). */
export function secretFor(purpose: string, secret: Uint8Array): Buffer {
  return createHmac("sha256", secret).update(purpose).digest();
}
