import { defineConfig } from "vitest/config";

const conditions = ["@swath/source", "node"];

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    execArgv: ["--conditions=@swath/source"],
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["{packages,apps}/*/test/**/*.test.ts", "test/**/*.test.ts"] },
      },
    ],
  },
});
