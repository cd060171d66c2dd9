import { defineConfig } from "vitest/config";

const conditions = ["@swath/source", "node"];

/** Tests of processes, browsers, clocks and memory: one file at a time, after all the others. */
const alone = [
  "apps/explorer/test/{access,features}.test.ts",
  "apps/api/test/clients/maps.test.ts",
  "apps/api/test/{faults,faults-mid-body,fleet,job-queue,limits,mutations,operations,overload,process-memory,render-pool,scale}.test.ts",
  "packages/encode/test/writer.test.ts",
  "test/browser/*.test.ts",
];

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    execArgv: ["--conditions=@swath/source"],
    testTimeout: 30_000,
    globalSetup: ["apps/api/test/sandbox-setup.ts"],
    setupFiles: ["test/properties.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{packages,apps}/*/test/**/*.test.ts", "{test,examples}/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...alone],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // what a machine does meanwhile can still upset them: a second try is told by the reporter
        test: {
          name: "alone",
          include: alone,
          maxWorkers: 1,
          retry: process.env.CI ? 1 : 0,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
