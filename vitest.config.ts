import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { isNightly } from "./test/tools/searches.ts";

const conditions = ["@swath/source", "node"];
/** Milliseconds of a test. In the nightly run, which tries fifty times as many examples, they are more. */
const TIMEOUT = isNightly ? 1_800_000 : 120_000;
/** Every core: vitest itself would keep one of two free. */
const CORES = availableParallelism();

/*
 * A test says in its name how it is run. Files `x.test.ts` share processes, one per core, and the modules that are loaded in
 * them: loading them for each file would take as long as the tests. `x.alone.test.ts` is of sockets, threads, clocks or
 * memory, which tests in the same process would disturb, or replaces a module: it has a process of its own. `x.long.test.ts`
 * takes tens of seconds: `npm run test:long`. `x.alone.long.test.ts` is both.
 *
 * Node itself loads the modules, which takes a fraction of Vite's time. Only where a test has a process of its own Vite does, so
 * that `vi.mock` can replace a module.
 */
const FOLDERS = "{{packages,apps}/*/test,test,examples}/**";

/** Tests whose names end in the same way, after those of the groups before. */
function project(
  name: string,
  group: number,
  include: string,
  maxWorkers: number,
  {
    exclude = [],
    isolate = true,
    globalSetup = [],
  }: { exclude?: readonly string[]; isolate?: boolean; globalSetup?: string[] } = {},
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [`${FOLDERS}/${include}`],
      exclude: ["**/node_modules/**", ...exclude],
      maxWorkers,
      isolate,
      experimental: { viteModuleRunner: name.endsWith("alone") },
      globalSetup,
      sequence: { groupOrder: group },
    },
  };
}

interface Rules {
  readonly sections: readonly { readonly rules: Readonly<Record<string, string>> }[];
}

/** Tests name the rules of the interface that they check by tags; one that is not in the list is an error. */
const rules = JSON.parse(
  readFileSync(new URL("apps/api/test/requests/conformance/rules.json", import.meta.url), "utf8"),
) as Rules;
const tags = rules.sections.flatMap((section) =>
  Object.entries(section.rules).map(([name, description]) => ({ name, description })),
);

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    execArgv: ["--conditions=@swath/source"],
    // for what hangs, not for what is slow: machines that run everything at once are many times slower than one at rest
    testTimeout: TIMEOUT,
    hookTimeout: TIMEOUT,
    // a condition that is waited for may take long on a busy machine; where it never comes the test fails all the same
    expect: { poll: { timeout: 100_000 } },
    globalSetup: ["test/generated-files.ts", "test/missing-tools.ts", "apps/api/test/operations/sandbox-setup.ts"],
    setupFiles: ["test/properties.ts"],
    tags,
    projects: [
      project("unit", 0, "*.test.ts", CORES, { exclude: ["**/*.{alone,long}.test.ts"], isolate: false }),
      project("alone", 1, "*.alone.test.ts", CORES),
      // these often wait for browsers and services: one more than cores keeps the cores busy
      project("long", 2, "*.long.test.ts", CORES + 1, {
        exclude: ["**/*.alone.long.test.ts"],
        globalSetup: ["apps/explorer/test/common-service.ts"],
      }),
      project("long-alone", 3, "*.alone.long.test.ts", CORES),
    ],
  },
});
