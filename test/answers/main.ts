import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ALL } from "./asked/all.ts";
import { compare } from "./compare.ts";
import { type Answers, record } from "./record.ts";

const USAGE = `Usage:
  npm run answers -- record FILE [--of CHECKOUT] [--only TEXT]
  npm run answers -- compare FILE FILE`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { of: { type: "string" }, only: { type: "string", default: "" } },
  });
  const [command, first, second] = positionals;
  if (command === "record" && first !== undefined && second === undefined) {
    const checkout = resolve(values.of ?? fileURLToPath(new URL("../..", import.meta.url)));
    const asked = ALL.filter(({ name }) => name.includes(values.only));
    const answers = await record(checkout, asked);
    await writeFile(first, `${JSON.stringify(answers, undefined, 1)}\n`);
    console.log(`${Object.keys(answers).length} answers to ${asked.length} requests of ${checkout}`);
    return 0;
  }
  if (command === "compare" && first !== undefined && second !== undefined) {
    return report(await read(first), await read(second));
  }
  console.error(USAGE);
  return 2;
}

const read = async (path: string): Promise<Answers> => JSON.parse(await readFile(path, "utf8")) as Answers;

/** Prints the differences; the exit code is 1 where there are more than wording of problems and validators. */
function report(before: Answers, after: Answers): number {
  const differences = compare(before, after);
  for (const { kind, name, parts } of differences)
    console.log(`${kind}  ${name}\n${parts.map((part) => `    ${part}\n`).join("")}`);
  const count = (kind: string): number => differences.filter((each) => each.kind === kind).length;
  console.log(
    `${Object.keys(before).length} answers: ${count("answer")} differ, ${count("missing")} are in one record alone, ` +
      `${count("wording")} differ in the wording of a problem, ${count("etag")} in the ETag alone`,
  );
  return count("answer") + count("missing") === 0 ? 0 : 1;
}

process.exitCode = await main();
