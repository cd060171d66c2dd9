// Settings of the bundler for the service, as it is published and as a function.
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Packages that are not bundled: they have native parts, or are imported only where they are there. */
export const OUTSIDE = ["@julusian/jpeg-turbo", "@photostructure/sqlite", "pg-native", "pino-pretty", "sharp"];

/** The licences of the packages that files are made of. */
function licensesOf(files) {
  const ids = files.flatMap(({ moduleIds = [] }) => moduleIds).map((id) => id.replaceAll("\\", "/"));
  const folders = new Set(ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const names = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)[^/]*$/i.test(file));
    const notices = names.map((file) => readFileSync(join(folder, file), "utf8").trim());
    return [`${name} ${version} (${license})`, ...notices].join("\n\n");
  });
  return `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** Bundles entries into modules; what few requests need is loaded by the first of them. The bytes of each file by its name. */
export async function bundle({ input, conditions = [], plugins = [], ...format }) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: "node",
    external: [/^node:/, ...builtinModules, ...OUTSIDE],
    resolve: { conditionNames: [...conditions, "node"] },
    plugins,
    onwarn(warning) {
      console.warn(warning.message);
    },
  });
  const { output } = await build.generate({ format: "esm", ...format });
  await build.close();
  const files = output.map((file) => [file.fileName, Buffer.from(file.code ?? file.source)]);
  return { ...Object.fromEntries(files), "LICENSES.txt": Buffer.from(licensesOf(output)) };
}
