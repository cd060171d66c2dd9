import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./host.ts";

/** A code block of a document that asks to be tested: its info string says `test`, or `test=what`. */
export interface Block {
  readonly language: string;
  readonly how: string;
  readonly code: string;
}

export function blocksOf(file: string): Block[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(/^```(\w+) test(?:=(\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", how = "", code = ""]) => ({ language, how, code }),
  );
}
