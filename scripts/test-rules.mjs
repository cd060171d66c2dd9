// Reads from the text of a test file which rules its tests check, without running it. Ids of rules are tags of tests:
// `test("...", { tags: ["S7"] }, ...)`, and for rows of a table `{ tags: rules(row) }` where `rules` is made by `rowRules`.
import { parseAst } from "rolldown/parseAst";

/**
 * @typedef {object} CheckedRule
 * @property {string} id
 * @property {string[]} [rows] Names of the rows that check it; absent: the whole test or table.
 *
 * @typedef {object} TaggedTest
 * @property {string} title With the titles of its groups before it, joined by " > "; constants of the file as their values, other
 *   expressions as they stand there.
 * @property {CheckedRule[]} rules
 * @property {string[]} skipped Conditions, as they stand in the file, under which it is skipped.
 * @property {number} count How many rows a table has that is written out in place; 1 of a test, Infinity of other tables.
 */

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

/** The numbers and texts that a file has as constants, by their names. @returns {Map<string, string>} */
function constantsOf(program) {
  const declared = program.flatMap((node) => (node.kind === "const" ? node.declarations : []));
  return new Map(declared.flatMap(({ id, init }) => (init?.type === "Literal" ? [[id.name, String(init.value)]] : [])));
}

/** The text of a literal; constants stand in it as their values, other expressions as in a template. */
function textOf(node, text, constants) {
  if (node.type === "Literal") return String(node.value);
  const known = node.type === "Identifier" ? constants.get(node.name) : undefined;
  if (known !== undefined) return known;
  if (node.type !== "TemplateLiteral") return `\${${text.slice(node.start, node.end)}}`;
  return node.quasis
    .map(
      ({ value }, i) => value.raw + (i < node.expressions.length ? textOf(node.expressions[i], text, constants) : ""),
    )
    .join("");
}

/** The member of an object literal. */
const memberOf = (node, name) =>
  node?.type === "ObjectExpression"
    ? node.properties.find(({ key }) => key?.name === name || key?.value === name)?.value
    : undefined;

/** Every node below, the parents before their children. */
function* nodesOf(node) {
  if (node === null || typeof node !== "object") return;
  if (typeof node.type === "string") yield node;
  for (const value of Object.values(node)) yield* nodesOf(value);
}

/** Rows by the name of the constant that `rowRules` gave. @returns {Map<string, CheckedRule[]>} */
function rowRulesOf(program, text, constants) {
  const found = new Map();
  for (const { type, id, init } of nodesOf(program)) {
    if (type !== "VariableDeclarator" || init?.callee?.name !== "rowRules") continue;
    const [rules] = init.arguments;
    found.set(
      id.name,
      rules.properties.map(({ key, value }) => ({
        id: key.name ?? key.value,
        rows: value.elements.map((element) => textOf(element, text, constants)),
      })),
    );
  }
  return found;
}

/** @returns {TaggedTest[]} */
export function taggedTests(/** @type {string} */ text, /** @type {string} */ path) {
  const program = parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }).body;
  const constants = constantsOf(program);
  const rowRules = text.includes("rowRules(") ? rowRulesOf(program, text, constants) : new Map();
  const rulesOf = (tags) => {
    if (tags === undefined) return [];
    const elements = tags.type === "ArrayExpression" ? tags.elements : [tags];
    return elements.flatMap((element) => {
      const node = element.type === "SpreadElement" ? element.argument : element;
      return node.type === "Literal" ? [{ id: node.value }] : (rowRules.get(node.callee?.name) ?? []);
    });
  };
  const found = [];
  const visit = (node, groups, skipped) => {
    if (node === null || typeof node !== "object") return;
    if (Array.isArray(node)) {
      for (const each of node) visit(each, groups, skipped);
      return;
    }
    const chain = node.type === "CallExpression" ? chainOf(node.callee) : undefined;
    const isGroup = chain?.name.startsWith("describe") === true;
    const [title, ...others] = node.type === "CallExpression" ? node.arguments : [];
    if (title !== undefined && (isGroup || chain?.name === "test") && others.length > 0) {
      const conditions = chain.calls
        .filter(({ member }) => member === "skipIf")
        .map((call) => text.slice(call.arguments[0].start, call.arguments[0].end));
      const [all, path] = [
        [...skipped, ...conditions],
        [...groups, textOf(title, text, constants)],
      ];
      if (isGroup) {
        visit(node.arguments, path, all);
        return;
      }
      const rules = others.flatMap((argument) => rulesOf(memberOf(argument, "tags")));
      const table = chain.calls.find(({ member }) => member === "each")?.arguments[0];
      const count = table === undefined ? 1 : (table.elements?.length ?? Infinity);
      if (rules.length > 0) found.push({ title: path.join(" > "), rules, skipped: all, count });
      return;
    }
    for (const [key, value] of Object.entries(node)) if (key !== "type") visit(value, groups, skipped);
  };
  visit(program, [], []);
  return found;
}
