import { randomBytes } from "node:crypto";
import { keepSetting } from "../state/settings.ts";
import type { Store } from "../state/store.ts";

/** The secret that links to results are signed with, shared by all nodes of a store. */
export async function sharedResultSecret(store: Store): Promise<Buffer> {
  const made = randomBytes(32).toString("hex");
  return Buffer.from(await keepSetting(store, "results-secret", made, Date.now()), "hex");
}
