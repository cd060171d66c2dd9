#!/usr/bin/env node
// Writes docs/reference: one Markdown page per package, with the signature and the docstring of every export, read from
// the sources. With --if-stale it writes only when a source is newer than the pages; with --strict an export without a
// docstring is a failure.
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-js";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "docs", "reference");

const packages = readdirSync(join(root, "packages"))
  .map((folder) => join(root, "packages", folder))
  .filter((folder) => existsSync(join(folder, "package.json")))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
  .filter(({ manifest }) => manifest.private !== true);

const files = new Map();
const parse = (path) => {
  if (!files.has(path)) {
    files.set(path, ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true));
  }
  return files.get(path);
};

/** The file that a module specifier of `from` names: a file beside it, or the sources of a package's entry. */
function moduleFile(specifier, from) {
  if (specifier.startsWith(".")) return resolve(dirname(from), specifier);
  const [scope, name, ...path] = specifier.split("/");
  const found = packages.find(({ manifest }) => manifest.name === `${scope}/${name}`);
  if (found === undefined) throw new Error(`${relative(root, from)} re-exports ${specifier}, which is no package here`);
  return join(found.folder, found.manifest.exports[[".", ...path].join("/")]["@swath/source"]);
}

const isExported = (node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

/** Declarations of each name that a module exports: name → nodes, re-exports followed. */
function exportsOf(path) {
  const found = new Map();
  const add = (name, nodes) => found.set(name, [...(found.get(name) ?? []), ...nodes]);
  for (const statement of parse(path).statements) {
    if (ts.isExportDeclaration(statement)) {
      if (statement.moduleSpecifier === undefined) continue;
      const other = exportsOf(moduleFile(statement.moduleSpecifier.text, path));
      if (statement.exportClause === undefined) for (const [name, nodes] of other) add(name, nodes);
      else {
        for (const { name, propertyName } of statement.exportClause.elements) {
          add(name.text, other.get((propertyName ?? name).text) ?? []);
        }
      }
    } else if (isExported(statement)) {
      if (ts.isVariableStatement(statement)) {
        for (const { name } of statement.declarationList.declarations) add(name.text, [statement]);
      } else if (statement.name !== undefined) add(statement.name.text, [statement]);
    }
  }
  return found;
}

/** Text of a node without its own docstring and without `export`. */
const textOf = (node, from = node.getStart(), to = node.end) =>
  node
    .getSourceFile()
    .text.slice(from, to)
    .replace(/^export\s+(?:declare\s+)?/, "")
    .trim();

const isInternal = (node) => ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal");

/** A docstring above a member, as it stands in the source. */
const commentOf = (node) => {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
  return docs === undefined ? "" : `${docs.getText()}\n`;
};

function classText(node) {
  const open = node.members.pos;
  const lines = node.members
    .filter((member) => !isInternal(member) && !(member.name !== undefined && ts.isPrivateIdentifier(member.name)))
    .map((member) => {
      const end = member.body?.pos ?? member.end;
      return commentOf(member) + textOf(member, member.getStart(), end).replace(/;?$/, ";");
    });
  const body = lines.map((line) => line.replace(/^ {2}/gm, "").replace(/^/gm, "  ")).join("\n");
  return `${textOf(node, node.getStart(), open)}\n${body}\n}`;
}

const MAX_LINES = 40;

function constText(statement) {
  const [declaration] = statement.declarationList.declarations;
  const { name, type, initializer } = declaration;
  if (type !== undefined) return `const ${name.getText()}: ${type.getText()}`;
  const whole = textOf(statement);
  if (ts.isArrowFunction(initializer ?? statement))
    return textOf(statement, statement.getStart(), initializer.body.pos);
  if (whole.split("\n").length <= MAX_LINES) return whole;
  return `const ${name.getText()} = ${initializer.getText()[0] === "[" ? "[ … ]" : "{ … }"}`;
}

function signatureOf(node) {
  if (ts.isFunctionDeclaration(node)) return textOf(node, node.getStart(), node.body?.pos ?? node.end);
  if (ts.isClassDeclaration(node)) return classText(node);
  if (ts.isVariableStatement(node)) return constText(node);
  return textOf(node);
}

const prose = (comment) =>
  (typeof comment === "string" ? comment : (ts.getTextOfJSDocComment(comment) ?? ""))
    .replace(/\{@link ([^}]+)\}/g, "`$1`")
    .trim();

function docsOf(node) {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
  if (docs === undefined) return "";
  const parts = [prose(docs.comment)];
  for (const tag of docs.tags ?? []) {
    const name = tag.tagName.text;
    const text = prose(tag.comment);
    if (name === "example") parts.push(`\`\`\`ts\n${text}\n\`\`\``);
    else if (name === "param") parts.push(`- \`${tag.name.getText()}\`: ${text}`);
    else if (name === "throws") {
      const type = tag.typeExpression?.type.getText();
      parts.push(`Throws ${type === undefined ? "" : `\`${type}\` `}${text}`.trim());
    } else if (name === "returns") parts.push(`Returns ${text}`);
  }
  return parts.filter((part) => part !== "").join("\n\n");
}

const KINDS = new Map([
  [ts.SyntaxKind.FunctionDeclaration, "function"],
  [ts.SyntaxKind.ClassDeclaration, "class"],
  [ts.SyntaxKind.InterfaceDeclaration, "interface"],
  [ts.SyntaxKind.TypeAliasDeclaration, "type"],
  [ts.SyntaxKind.VariableStatement, "constant"],
]);
/** Overloads are shown, the signature of their implementation is not. */
const shown = (nodes) =>
  nodes.length > 1 && nodes.every(ts.isFunctionDeclaration) ? nodes.filter(({ body }) => body === undefined) : nodes;

function section(name, nodes) {
  const visible = shown(nodes);
  const kind = KINDS.get(visible[0]?.kind) ?? "";
  const docs = [...new Set(nodes.map(docsOf))].filter((text) => text !== "").join("\n\n");
  const code = visible.map(signatureOf).join("\n");
  return `### ${name}\n\n*${kind}*\n\n\`\`\`ts\n${code}\n\`\`\`\n\n${docs}\n`;
}

function pageOf({ folder, manifest }) {
  const short = manifest.name.replace("@swath/", "");
  const entries = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === "string" ? [] : [[subpath, exportsOf(join(folder, target["@swath/source"]))]],
  );
  const bare = [];
  const parts = entries.map(([subpath, found]) => {
    const names = [...found.keys()].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    for (const name of names) {
      const nodes = found.get(name) ?? [];
      if (nodes.length === 0) throw new Error(`${manifest.name}: the declaration of ${name} was not found.`);
      if (nodes.every((node) => docsOf(node) === "")) bare.push(name);
    }
    const list = names.map((name) => `[\`${name}\`](#${name.toLowerCase()})`).join(" · ");
    const sections = names.map((name) => section(name, found.get(name))).join("\n");
    return `## \`${subpath.replace(/^\./, manifest.name)}\`\n\n${list}\n\n${sections}`;
  });
  const head = `# ${manifest.name}\n\n${manifest.description}.\n`;
  return { short, name: manifest.name, description: manifest.description, text: `${head}\n${parts.join("\n")}`, bare };
}

const newest = (paths) => Math.max(0, ...paths.map((path) => statSync(path).mtimeMs));
const sources = globSync("packages/*/{src/**/*.ts,package.json}", { cwd: root }).map((path) => join(root, path));
const index = join(out, "index.md");
const isFresh = existsSync(index) && statSync(index).mtimeMs > newest([...sources, fileURLToPath(import.meta.url)]);

if (!(process.argv.includes("--if-stale") && isFresh)) {
  const pages = packages.map(pageOf);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const { short, text } of pages) writeFileSync(join(out, `${short}.md`), text);
  const rows = pages.map(({ short, name, description }) => `| [\`${name}\`](${short}.md) | ${description} |`);
  writeFileSync(
    index,
    `# API reference\n\nEvery export of every package, made from the docstrings.\n\n| package | what it is |\n|---|---|\n${rows.join("\n")}\n`,
  );
  for (const { name, bare } of pages) {
    if (bare.length === 0) continue;
    console.error(`${name} has exports without a docstring: ${bare.join(", ")}`);
    if (process.argv.includes("--strict")) process.exitCode = 1;
  }
  console.log(`${pages.length} pages in ${relative(process.cwd(), out) || "."}`);
}
