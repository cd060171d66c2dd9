import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROBLEMS, type ProblemCode } from "../../../api/src/errors/problems.ts";
import type { Page } from "./page.ts";
import { APP } from "./paths.ts";

const CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** A request and the problem document that the service answers it with. */
export interface ErrorExample {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** What the service answered when `test/error-catalogue.test.ts` asked it, by code. */
export const EXAMPLES_FILE: string = join(APP, "errors/examples.json");

function readExamples(): Readonly<Partial<Record<string, ErrorExample>>> {
  return existsSync(EXAMPLES_FILE) ? JSON.parse(readFileSync(EXAMPLES_FILE, "utf8")) : {};
}

/** The request as HTTP writes it, and the answer. */
function exampleSection({ method, path, headers = {}, body, answer }: ErrorExample): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  const sent = body === undefined ? "" : `\n${typeof body === "string" ? body : JSON.stringify(body, undefined, 2)}\n`;
  const retry = "retryAfter" in answer ? `Retry-After: ${answer.retryAfter}\n` : "";
  return `## An example

\`\`\`http
${method} ${path} HTTP/1.1
${lines.join("")}${sent}\`\`\`

\`\`\`http
HTTP/1.1 ${answer.status}
Content-Type: application/problem+json
${retry}
${JSON.stringify(answer, undefined, 2)}
\`\`\`
`;
}

function errorPage(code: ProblemCode, example: ErrorExample | undefined): Page {
  const { status, title, description, remedy } = PROBLEMS[code];
  const isFullOnly = "fullOnly" in PROBLEMS[code];
  const text = `# ${title}

\`${code}\` · status ${status}${isFullOnly ? " · in the full profile" : ""}

${description}

## What to do

${remedy}

${example === undefined ? "" : exampleSection(example)}
\`code\` is what a program should look at: it never changes within \`/v1\`. \`detail\` is for people, and its words may change.
[All errors](./index.md).
`;
  return { place: `errors/${code}.md`, text };
}

function errorList(): string {
  const rows = CODES.map((code) => {
    const { status, title, description } = PROBLEMS[code];
    return `| ${status} | [\`${code}\`](./${code}.md) | ${title} | ${description.split(/(?<=\.)\s/)[0] ?? ""} |`;
  });
  return `| status | code | title | cause |\n| --- | --- | --- | --- |\n${rows.join("\n")}`;
}

/** The catalogue of errors: one page for each code of the service's table, and their list. */
export function errorPages(): readonly Page[] {
  const list: Page = {
    place: "errors/index.md",
    text: `# Errors

Every error is a problem document (RFC 9457): JSON that says what went wrong, in which member, what was expected and what came. A program looks at \`code\`. People read \`detail\`. The address in \`type\` leads to a page about the code.

- **400 to 422**: the request has to change. \`errors\` names each member that is wrong, by its name or its JSON Pointer.
- **429**: too much at once or too much in all. Wait for the seconds of \`Retry-After\`.
- **503 and 504**: try again later. Reads are safe to repeat.
- **500**: report the \`requestId\`.

${errorList()}
`,
  };
  const examples = readExamples();
  return [list, ...CODES.map((code) => errorPage(code, examples[code]))];
}
