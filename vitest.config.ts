import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const conditions = ["@swath/source", "node"];

/**
 * Fleets of processes, the explorer and caches in a browser, upstreams that do not answer before a deadline and thousands
 * of mutated requests take minutes: `npm run test:long`, one file at a time. CI runs them after the others.
 */
const long = [
  "apps/explorer/test/{access,account,features,guests}.test.ts",
  "apps/api/test/clients/{browser-cache,mcp-conformance}.test.ts",
  "apps/api/test/{accounts-process,altered-bytes,faults,faults-mid-body,fleet,job-queue,mcp-mutations,mutations,overload,scale,statistics-memory,timeseries-files,unit-faults,unit-kills}.test.ts",
  "test/npm-start.test.ts",
];

/**
 * Thousands of damaged files, walks through catalogs of 12,000 items, desktop clients and comparisons of dozens of files
 * with GDAL take minutes too, but read no clock and measure no memory: `npm run test:long` runs one on each core.
 */
const large = [
  "apps/api/test/clients/wmts.test.ts",
  "apps/api/test/process-gdal.test.ts",
  "packages/catalog/test/{opaque-long,upstream-cost,virtual-scale}.test.ts",
  "packages/cog/test/damage-all.test.ts",
  "packages/encode/test/{gdal,odd-overviews}.test.ts",
  "packages/jp2/test/gdal.test.ts",
  "packages/raster/test/blending.test.ts",
  "packages/sandbox/test/archive.test.ts",
];

/** Tests of sockets, threads, clocks and memory, which other work on the machine would disturb: one file at a time. */
const alone = [
  "apps/api/test/clients/maps.test.ts",
  "apps/api/test/{file-threads,limits,operations,process-memory,render-pool}.test.ts",
  "packages/encode/test/writer.test.ts",
  "packages/stac/test/client.test.ts",
  "test/browser/*.test.ts",
];

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    execArgv: ["--conditions=@swath/source"],
    // for what hangs, not for what is slow: machines that run everything at once are many times slower than one at rest
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // a condition that is waited for may take long on a busy machine; where it never comes the test fails all the same
    expect: { poll: { timeout: 20_000 } },
    globalSetup: ["test/missing-tools.ts", "apps/api/test/sandbox-setup.ts"],
    setupFiles: ["test/properties.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{packages,apps}/*/test/**/*.test.ts", "{test,examples}/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...alone, ...large, ...long],
          // every core: nothing in here minds other work on the machine. vitest itself would keep one of two free
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: "alone", include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: { name: "large", include: large, maxWorkers: availableParallelism(), sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: { name: "long", include: long, maxWorkers: 1, sequence: { groupOrder: 3 } },
      },
    ],
  },
});
