/** A text in single quotes of a shell. */
export const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A text in single quotes of R. */
export const rText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** A text in double quotes of JavaScript or Python; it cannot end a script of a page. */
export const codeText = (text: string): string => JSON.stringify(text).replaceAll("<", "\\u003c");

/** A text of XML or HTML, also between quotes. */
export const markupText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** JSON in one line, as people write it. */
function lineOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(lineOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${lineOf(each)}`);
  return `{${parts.join(", ")}}`;
}

/** Columns of a line of code. */
const WIDTH = 100;

/** JSON with two spaces a level, in which short lists and objects have one line each. */
export function readableJson(value: unknown, indent = ""): string {
  const line = lineOf(value);
  if (typeof value !== "object" || value === null || line.length + indent.length <= WIDTH) return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((each) => readableJson(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${readableJson(each, inner)}`);
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}
