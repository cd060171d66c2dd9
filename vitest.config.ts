import { defineConfig } from "vitest/config";

const conditions = ["@swath/source", "node"];

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    execArgv: ["--conditions=@swath/source"],
    testTimeout: 30_000,
    globalSetup: ["apps/api/test/sandbox-setup.ts"],
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["{packages,apps}/*/test/**/*.test.ts", "{test,examples}/**/*.test.ts"] },
      },
    ],
  },
});
