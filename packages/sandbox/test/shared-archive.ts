import { inject } from "vitest";

/** Day of the archive that tests share (`apps/api/test/operations/sandbox-setup.ts`). */
export const NOW = "2026-06-15";

/** The folder of the archive that all tests share; they only read it. */
export function sharedArchive(): string {
  return inject("sandbox");
}
