// Copies what the service serves from the folders of the checkout into the package: `npm pack` and `pnpm pack` run it.
// The folder `served` holds the builds of the explorer and of the documents.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const explorer = join(root, "apps/explorer/dist");
const documents = join(root, "apps/docs/dist");
const served = join(packageFolder, "served");

const stdio = ["ignore", "ignore", "inherit"];
const build = ["--conditions=@swath/source", "apps/docs/scripts/build.ts", "--if-stale"];
// the Node of the lockfile: older ones do not run TypeScript
const node = join(root, "node_modules/.bin/node");
const { status } = spawnSync(existsSync(node) ? node : process.execPath, build, { cwd: root, stdio });
if (status !== 0) process.exit(1);
if (!existsSync(join(explorer, "index.html"))) {
  console.error("@swath/api is packed after a build, which makes the explorer: npx turbo run build");
  process.exit(1);
}
rmSync(served, { recursive: true, force: true });
cpSync(documents, join(served, "docs"), { recursive: true });
cpSync(explorer, join(served, "explorer"), { recursive: true });
