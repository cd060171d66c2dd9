// Reads from the text of a test file which tests it declares, without running it.
import { parseAst } from "rolldown/parseAst";

/**
 * @typedef {object} DeclaredTest
 * @property {string[]} names Title, then with one and more of its groups before it, joined by " > ".
 * @property {RegExp} [rows] For tables: what the names of its rows look like.
 * @property {number} [count] For tables written out in place: how many rows they have.
 * @property {string[]} groups Titles of the groups around it, outermost first.
 * @property {string[]} skipped Conditions, as they stand in the file, under which it is skipped.
 */

const TESTS = new Set(["test", "it"]);
/** Placeholders of a table's title, and values that are put into a template literal. */
const PLACEHOLDER = /%[sdifjo]|\$\{[^}]*\}|\$[\w.]+/g;
/** Stands for what a function of ours around `describe` adds to the title of a group: the name of an engine, say. */
const COMPLETED = "\0";

/** `test.skipIf(a).each(rows)` as its name and the arguments of each call after a dot. */
function chainOf(node) {
  if (node.type === "Identifier") return { name: node.name, calls: [] };
  if (node.type === "MemberExpression") {
    const inner = chainOf(node.object);
    return inner && { ...inner, member: node.property.name };
  }
  if (node.type === "CallExpression" || node.type === "TaggedTemplateExpression") {
    const inner = chainOf(node.type === "CallExpression" ? node.callee : node.tag);
    return (
      inner && { name: inner.name, calls: [...inner.calls, { member: inner.member, arguments: node.arguments ?? [] }] }
    );
  }
  return undefined;
}

/** The text of a title; expressions in it are kept as `${...}`. */
function titleOf(node, text) {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" || node?.type === "Identifier" || node?.type === "BinaryExpression") {
    return node.type === "TemplateLiteral" ? text.slice(node.start + 1, node.end - 1) : `\${${node.name ?? ""}}`;
  }
  return undefined;
}

/** The source of a regular expression that a title fits once its placeholders are filled in. */
export const pattern = (/** @type {string} */ title) =>
  title
    .split(COMPLETED)
    .map((whole) =>
      whole
        .split(PLACEHOLDER)
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
        .join("[^]*"),
    )
    .join("[^]+");
const letters = (/** @type {string} */ title) => title.replace(PLACEHOLDER, "").replace(/[^A-Za-z]/g, "").length;

/** @returns {DeclaredTest[]} */
export function testsOf(/** @type {string} */ text, /** @type {string} */ path) {
  const found = [];
  const visit = (node, groups, skipped) => {
    if (node === null || typeof node !== "object") return;
    if (Array.isArray(node)) {
      for (const each of node) visit(each, groups, skipped);
      return;
    }
    if (node.type === "CallExpression") {
      const chain = chainOf(node.callee);
      const title = titleOf(node.arguments[0], text);
      const isGroup = chain?.name.startsWith("describe") === true;
      const takesBody = node.arguments.slice(1).some(({ type }) => /Function|Identifier/.test(type));
      if (chain !== undefined && title !== undefined && takesBody && (isGroup || TESTS.has(chain.name))) {
        const conditions = chain.calls
          .filter(({ member }) => member === "skipIf")
          .map((call) => text.slice(call.arguments[0].start, call.arguments[0].end));
        const all = [...skipped, ...conditions];
        if (isGroup) {
          visit(node.arguments, [...groups, chain.name === "describe" ? title : `${title}${COMPLETED}`], all);
          return;
        }
        const paths = groups.map((_, i) => [...groups.slice(i), title]).reverse();
        const names = [[title], ...paths];
        const titled = names.filter((parts) => letters(parts.join("")) > 2);
        const isTable = chain.calls.some(({ member }) => member === "each");
        const [rows] = chain.calls.find(({ member }) => member === "each")?.arguments ?? [];
        const isMade = PLACEHOLDER.test(title);
        PLACEHOLDER.lastIndex = 0;
        found.push({
          names: titled.map((parts) => parts.join(" > ")),
          ...(isTable || isMade
            ? { rows: new RegExp(`^(?:${titled.map((parts) => parts.map(pattern).join(" > ")).join("|")})$`) }
            : {}),
          ...(rows?.type === "ArrayExpression" ? { count: rows.elements.length } : {}),
          groups,
          skipped: all,
        });
        return;
      }
    }
    for (const [key, value] of Object.entries(node)) if (key !== "type") visit(value, groups, skipped);
  };
  visit(parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }).body, [], []);
  return found;
}
