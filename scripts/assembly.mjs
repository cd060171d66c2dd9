#!/usr/bin/env node
// Compiles packages/*/assembly/index.ts (AssemblyScript) to WebAssembly, which stands as text in src/kernels/wasm.ts of
// the package: it loads wherever modules do, without a file beside it. `--check` only says whether that file is up to date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const root = fileURLToPath(new URL("..", import.meta.url));
const check = process.argv.includes("--check");

for (const name of readdirSync(join(root, "packages"))) {
  const source = join(root, "packages", name, "assembly/index.ts");
  if (!existsSync(source)) continue;
  let binary;
  const { error, stderr } = await asc.main(
    [
      ...[relative(root, source), "--baseDir", root, "--outFile", "index.wasm"],
      ...["-O3", "--converge", "--noAssert", "--runtime", "stub", "--use", "abort=", "--enable", "simd"],
    ],
    {
      writeFile: (file, contents) => {
        if (file.endsWith(".wasm")) binary = contents;
      },
    },
  );
  if (error !== null || binary === undefined) {
    console.error(stderr.toString() || error);
    process.exit(1);
  }
  const target = join(root, "packages", name, "src/kernels/wasm.ts");
  const lines = Buffer.from(binary)
    .toString("base64")
    .match(/.{1,110}/g)
    .map((line) => `  "${line}",`);
  const text = `/** \`assembly/index.ts\` compiled by \`node scripts/assembly.mjs\`, in base64. */\nexport const WASM = [\n${lines.join("\n")}\n].join("");\n`;
  if (!check) writeFileSync(target, text);
  else if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
    console.error(
      `${relative(root, target)} is not what ${relative(root, source)} compiles to: node scripts/assembly.mjs`,
    );
    process.exitCode = 1;
  }
}
