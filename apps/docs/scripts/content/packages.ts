import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Application, type ProjectReflection, ReflectionKind } from "typedoc";
import type { Page } from "./page.ts";
import { ROOT } from "./paths.ts";

/** An entry of a published package: what one `import` names. */
export interface Entry {
  /** `cog`, or `cog/node`. */
  readonly name: string;
  /** Source file below the checkout. */
  readonly source: string;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly description: string;
  readonly exports: Readonly<Record<string, string | { readonly "@swath/source": string }>>;
}

function manifests(): readonly (Manifest & { readonly folder: string })[] {
  return readdirSync(join(ROOT, "packages"))
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(ROOT, folder, "package.json")))
    .map((folder) => ({
      folder,
      ...(JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest),
    }))
    .filter((manifest) => manifest.private !== true);
}

/** All entries of all packages. */
export function packageEntries(): readonly Entry[] {
  return manifests().flatMap(({ name, folder, exports }) =>
    Object.entries(exports).flatMap(([subpath, target]) =>
      typeof target === "string"
        ? []
        : [
            {
              name: `${name.replace("@swath/", "")}${subpath.slice(1)}`,
              source: `${folder}/${target["@swath/source"].replace(/^\.\//, "")}`,
            },
          ],
    ),
  );
}

/** The first page of the reference: every entry with the description of its package. */
export function packagesPage(): Page {
  const entries = packageEntries();
  const rows = manifests().map(({ name, description }) => {
    const own = entries.filter((entry) => entry.name.split("/")[0] === name.replace("@swath/", ""));
    const links = own.map((entry) => `[\`@swath/${entry.name}\`](./${entry.name}.md)`);
    return `| ${links.join(", ")} | ${description} |`;
  });
  const lead =
    "Every export of every package, made from its docstrings. `npm install @swath/cog` installs one; READMEs show what each is for.";
  return {
    place: "reference/index.md",
    text: `# Packages\n\n${lead}\n\n| import | what it is |\n| --- | --- |\n${rows.join("\n")}\n`,
  };
}

/** Names modules by what a program imports, rather than by their files, and forgets where things stand. */
function nameModules(project: ProjectReflection, entries: readonly Entry[]): void {
  const names = new Map(entries.map(({ name, source }) => [source, name]));
  for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
    module.name = names.get(module.sources?.[0]?.fileName ?? "") ?? module.name;
  }
  for (const reflection of Object.values(project.reflections)) {
    if (reflection.isDeclaration() || reflection.isSignature()) delete reflection.sources;
  }
}

/**
 * Writes the reference of all packages by TypeDoc, one Markdown file for each entry.
 *
 * @returns what TypeDoc warned of, such as an export without a docstring where `strict`.
 * @throws {Error} where the sources cannot be read.
 */
export async function writeReference(folder: string, { strict = false } = {}): Promise<readonly string[]> {
  const entries = packageEntries();
  const warnings: string[] = [];
  const app = await Application.bootstrapWithPlugins({
    entryPoints: entries.map(({ source }) => join(ROOT, source)),
    tsconfig: join(ROOT, "apps/docs/tsconfig.reference.json"),
    basePath: ROOT,
    plugin: ["typedoc-plugin-markdown"],
    out: folder,
    readme: "none",
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    disableGit: true,
    sourceLinkTemplate: "{path}",
    validation: { notDocumented: strict, invalidLink: strict, notExported: false },
    requiredToBeDocumented: ["Class", "Enum", "Function", "Interface", "TypeAlias", "Variable"],
    ...MARKDOWN,
  } as Parameters<typeof Application.bootstrapWithPlugins>[0]);
  app.logger.log = (message, level) => {
    if (level >= 2) warnings.push(message);
  };
  const project = await app.convert();
  if (project === undefined) throw new Error(`The reference was not made:\n${warnings.join("\n")}`);
  nameModules(project, entries);
  if (strict) app.validate(project);
  await app.generateOutputs(project);
  await tidy(folder);
  await introduce(folder, entries);
  return warnings;
}

/** Begins each page with what its package is for, and how it is installed and imported. */
async function introduce(folder: string, entries: readonly Entry[]): Promise<void> {
  const descriptions = new Map(manifests().map(({ name, description }) => [name.replace("@swath/", ""), description]));
  for (const { name } of entries) {
    const path = join(folder, `${name}.md`);
    const short = name.split("/")[0] ?? "";
    const intro = `${descriptions.get(short)}. \`npm install @swath/${short}\`, then import from \`@swath/${name}\`. [What it is for](/packages/${short}.md).`;
    await writeFile(path, (await readFile(path, "utf8")).replace(/^(# .+)$/m, `$1\n\n${intro}`));
  }
}

/**
 * Takes out of the written pages the anchors of rows, which are HTML, with the links from one member to another that lead there,
 * and gives the page of `openeo/program` its name: it is numbered, since `openeo` has a member of that name.
 */
async function tidy(folder: string): Promise<void> {
  await rm(join(folder, "index.md"));
  for (const name of globSync("**/*.md", { cwd: folder })) {
    const text = await readFile(join(folder, name), "utf8");
    await writeFile(
      join(folder, name),
      text
        .replace(/<a id="[^"]*"><\/a> /g, "")
        .replace(/\[(`[^`]+`)\]\(#property-[^)]*\)/g, "$1")
        .replaceAll(/(\(|\/)program-1\.md/g, "$1program.md"),
    );
  }
  const numbered = join(folder, "openeo/program-1.md");
  if (existsSync(numbered)) await rename(numbered, join(folder, "openeo/program.md"));
}

/** Options of typedoc-plugin-markdown. */
const MARKDOWN = {
  outputFileStrategy: "modules",
  entryFileName: "index",
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeDeclarationVisibility: "compact",
  enumMembersFormat: "table",
  propertyMembersFormat: "table",
  pageTitleTemplates: { module: "@swath/{name}" },
  tableColumnSettings: { hideInherited: true, hideOverrides: true, hideModifiers: true, hideSources: true },
};
