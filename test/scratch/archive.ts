import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { inject, vi } from "vitest";
import { startService } from "./service.ts";

/**
 * Returns the data folder of a packed service, which has made the synthetic archive at its first start in an empty folder. The
 * first test file that asks has it made; the others wait for it.
 */
export async function archivedData(): Promise<string> {
  const scratch = inject("scratch");
  const [making, made] = [join(scratch, "data-in-making"), join(scratch, "data")];
  const isFirst =
    !existsSync(made) &&
    (await mkdir(making).then(
      () => true,
      () => false,
    ));
  if (isFirst) {
    const service = await startService({ command: ["npx", "--no-install", "swath-api"], cwd: scratch, data: making });
    await service.stop();
    await rename(making, made);
  }
  await vi.waitUntil(() => existsSync(made), { timeout: 240_000, interval: 200 });
  return made;
}
