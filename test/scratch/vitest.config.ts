import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests what users do, from outside the workspace: `npm run scratch`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.scratch.ts"],
    globalSetup: ["./install.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: availableParallelism(),
  },
});
