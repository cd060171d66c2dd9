import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { apps, importsOf, packages, ROOT, type Workspace } from "./workspace.ts";

const document = readFileSync(join(ROOT, "docs", "architecture.md"), "utf8");
const drawing = /```mermaid\nflowchart TD\n([\s\S]*?)```/.exec(document)?.[1] ?? "";

/** The arrows of the drawing, as "from-to"; dotted ones apart. */
function drawn(arrow: "-->" | "-.->"): readonly string[] {
  const lines = drawing.split("\n").map((line) => line.trim().split(` ${arrow} `));
  return lines.flatMap(([from = "", to = ""]) => {
    const name = from.replace(/\[.*\]$/, "");
    return to === "" ? [] : to.split(" & ").map((other) => `${name}-${other}`);
  });
}

const siblingsIn = (names: readonly string[]): readonly string[] => [
  ...new Set(names.flatMap((name) => /^@swath\/([\w-]+)/.exec(name)?.[1] ?? [])),
];

/** The packages that sources of a workspace import. */
function imported({ folder }: Workspace): readonly string[] {
  return siblingsIn(globSync(join(folder, "src/**/*.{ts,tsx}")).flatMap(importsOf));
}

const namesOf = (member: unknown): readonly string[] => siblingsIn(Object.keys((member ?? {}) as object));
const peersOf = ({ manifest }: Workspace): readonly string[] => namesOf(manifest.peerDependencies);
const drawnWorkspaces = [...packages, ...apps.filter(({ name }) => name !== "docs")];

/** Rows of the table below a header, as cells. */
function rowsOf(header: string): readonly (readonly string[])[] {
  const lines = document.split("\n");
  const first = lines.findIndex((line) => line.replace(/\s+/g, " ").startsWith(header));
  expect(first, header).toBeGreaterThan(-1);
  const rest = lines.slice(first + 2);
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith("|")),
    )
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

test("the drawing has an arrow for each package that sources import, and no other", () => {
  const arrows = drawnWorkspaces.flatMap((each) => {
    const peers = peersOf(each);
    return imported(each).flatMap((other) => (peers.includes(other) ? [] : [`${each.name}-${other}`]));
  });
  expect(drawn("-->").toSorted()).toEqual(arrows.toSorted());
  const peers = drawnWorkspaces.flatMap((each) => peersOf(each).map((peer) => `${each.name}-${peer}`));
  expect(drawn("-.->").toSorted()).toEqual(peers.toSorted());
});

test("packages depend on those that they import, and on no other", () => {
  const depended = packages.map(({ name, manifest }) => [name, namesOf(manifest.dependencies).toSorted()]);
  const needed = packages.map((each) => {
    const peers = peersOf(each);
    return [
      each.name,
      imported(each)
        .filter((other) => !peers.includes(other))
        .toSorted(),
    ];
  });
  expect(depended).toEqual(needed);
});

test("the table of packages has each of them once", () => {
  const named = rowsOf("| package | what it does").map(([name = ""]) => name.replaceAll("`", ""));
  expect(named.toSorted()).toEqual(packages.map(({ name }) => name).toSorted());
});

test("the table of the engine has each of its folders", () => {
  const folders = readdirSync(join(ROOT, "packages", "engine", "src"), { withFileTypes: true });
  const named = rowsOf("| folder | what it holds").map(([name = ""]) => name.replaceAll("`", "").replace(/\/$/, ""));
  expect(named.toSorted()).toEqual(
    folders
      .filter((each) => each.isDirectory())
      .map(({ name }) => name)
      .toSorted(),
  );
});

test("folders of the engine import those above them in the table", () => {
  const source = join(ROOT, "packages", "engine", "src");
  const order = rowsOf("| folder | what it holds").map(([name = ""]) => name.replaceAll("`", "").replace(/\/$/, ""));
  const placeOf = (file: string): number => order.indexOf(relative(source, file).split("/")[0] ?? "");
  const downward = globSync(join(source, "*/**/*.ts")).flatMap((file) =>
    importsOf(file)
      .filter((name) => name.startsWith(".") && placeOf(resolve(dirname(file), name)) > placeOf(file))
      .map((name) => `${relative(source, file)} imports ${name}`),
  );
  expect(downward).toEqual([]);
});

test("files that the page names are there", () => {
  const named = [...document.matchAll(/`([\w@./-]+\.(?:ts|mjs|md|json|yaml))`/g)].map(([, name = ""]) => name);
  const roots = [ROOT, ...[...packages, ...apps].map(({ folder }) => join(folder, "src"))];
  const missing = named.filter(
    (name) =>
      !roots.some((root) => existsSync(join(root, name))) &&
      globSync(`packages/*/src/**/${name}`, { cwd: ROOT }).length === 0,
  );
  expect(named.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

/** Folders of the rooms that walks name. */
const ROOMS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["routes", "bodies", "operations", "metrics"].map((name) => [name, `apps/api/src/${name}`])),
  ...Object.fromEntries(["chain", "job", "where", "when"].map((name) => [name, `packages/engine/src/${name}`])),
  ...Object.fromEntries(["metering", "access"].map((name) => [name, `packages/accounts/src/hono/${name}`])),
  ...Object.fromEntries(["keys", "secrets", "tokens"].map((name) => [name, `packages/accounts/src/${name}`])),
  ...Object.fromEntries(
    ["units", "answers", "reservations"].map((name) => [name, `packages/accounts/src/metering/${name}`]),
  ),
  ...Object.fromEntries(["query", "catalog", "openeo"].map((name) => [name, `packages/${name}/src`])),
};

const walks = rowsOf("| value | functions").map(([value = "", path = "", counts = ""]) => ({
  value,
  counts,
  stays: path.split(" · ").map((stay) => {
    const [room = "", calls = ""] = stay.split(": ");
    return { room, calls: calls.split(", ") };
  }),
}));

test.each(walks)("the walk of $value has $counts functions, rooms and returns", ({ counts, stays }) => {
  const functions = stays.flatMap(({ calls }) => calls).filter((call) => !call.endsWith(" again"));
  const rooms = new Set(stays.map(({ room }) => room)).size;
  expect(`${functions.length} / ${rooms} / ${stays.length - rooms}`).toBe(counts);
  expect(new Set(functions).size).toBe(functions.length);
});

test.each(walks)("the walk of $value names functions of its rooms", ({ stays }) => {
  for (const { room, calls } of stays) {
    const folder = join(ROOT, ROOMS[room] ?? "");
    const code = globSync("**/*.ts", { cwd: folder }).map((file) => readFileSync(join(folder, file), "utf8"));
    for (const call of calls.filter((each) => each !== "handler")) {
      const [, name = "", member] = /^`(\w+)(?:\(\)|)(?:\.(\w+))?`( again)?$/.exec(call) ?? [];
      const declares = new RegExp(`\\b(?:function|class|const) ${name}\\b`);
      const own = code.filter((text) => declares.test(text));
      expect(own.length, `${room}: ${call}`).toBeGreaterThan(0);
      const hasMember = new RegExp(`\\b${member}\\b`);
      expect(
        own.some((text) => member === undefined || hasMember.test(text)),
        `${room}: ${call}`,
      ).toBe(true);
    }
  }
});
