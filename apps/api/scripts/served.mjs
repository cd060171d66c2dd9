// Copies what the service serves from the folders of the checkout into the package: `npm pack` and `pnpm pack` run it.
// The folder `served` holds documentation in the checkout's own folders, and the build of the explorer.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const explorer = join(root, "apps/explorer/dist");
const served = join(packageFolder, "served");

/** Files that `src/routes/site/guides.ts` and `changelog.ts` read. */
const DOCUMENTS = [
  "docs/**/*.md",
  "docs/images/*.{jpg,png,svg}",
  "{README,CONTRIBUTING}.md",
  "{packages,examples}/*/README.md",
  "{packages,apps}/*/CHANGELOG.md",
  ".changeset/*.md",
];

const stdio = ["ignore", "ignore", "inherit"];
const { status } = spawnSync(process.execPath, ["scripts/reference.mjs", "--if-stale"], { cwd: root, stdio });
if (status !== 0) process.exit(1);
if (!existsSync(join(explorer, "index.html"))) {
  console.error("@swath/api is packed after a build, which makes the explorer: npx turbo run build");
  process.exit(1);
}
rmSync(served, { recursive: true, force: true });
for (const file of globSync(DOCUMENTS, { cwd: root })) {
  cpSync(join(root, file), join(served, file), { recursive: true });
}
cpSync(explorer, join(served, "explorer"), { recursive: true });
