// Writes the decoder for browsers into `dist`: its JavaScript as a module without the part for Node, whose require() bundlers
// for browsers refuse, and its WebAssembly beside it. In Node the installed package is used as it is.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { resolve } = createRequire(import.meta.url);
const folder = join(import.meta.dirname, "..", "dist", "decoder");

/** Each text is there once: another version of the package may be written in another way, which has to be seen. */
const CHANGES = [
  [
    /ENVIRONMENT_IS_NODE=typeof process=="object"&&typeof process\.versions=="object"&&typeof process\.versions\.node=="string"&&process\.type!="renderer"/,
    "ENVIRONMENT_IS_NODE=false",
  ],
  [/if\(ENVIRONMENT_IS_NODE\)\{var fs=require\("fs"\);[\s\S]*?\}else if\(ENVIRONMENT_IS_WEB/, "if(ENVIRONMENT_IS_WEB"],
  [/\nif \(typeof exports === 'object' && typeof module === 'object'\) \{[\s\S]*$/, "\nexport default OpenJPEGWASM;\n"],
];

let glue = readFileSync(resolve("@cornerstonejs/codec-openjpeg/decodewasmjs"), "utf8");
for (const [from, to] of CHANGES) {
  if (glue.split(from).length !== 2) throw new Error(`The decoder's JavaScript has changed: expected ${from} once.`);
  glue = glue.replace(from, to);
}
if (/\brequire\s*\(|__dirname/.test(glue))
  throw new Error("The decoder's JavaScript has changed: it still needs Node.");
const notice = `// Made of @cornerstonejs/codec-openjpeg (MIT), which is OpenJPEG (BSD 2-Clause, openjpeg.org) compiled by Emscripten.\n`;
writeFileSync(join(folder, "openjpeg-glue.js"), notice + glue);
copyFileSync(resolve("@cornerstonejs/codec-openjpeg/decodewasm"), join(folder, "openjpeg.wasm"));
