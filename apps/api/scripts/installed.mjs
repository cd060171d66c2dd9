// Finds packages from the bundle, which holds code of packages that stand elsewhere. It is bundled itself: addresses begin at
// dist/bundle.
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The address of a file of an installed package, which the service depends on by the packages before it in `names`. */
export function addressOf(names, path) {
  const own = fileURLToPath(new URL("../../package.json", import.meta.url));
  const manifest = names.reduce((from, name) => createRequire(from).resolve(`${name}/package.json`), own);
  return new URL(path, pathToFileURL(manifest)).href;
}

/** The address of what a module at `address` imports by `name`. */
export const resolveFrom = (address, name) => pathToFileURL(createRequire(address).resolve(name)).href;
