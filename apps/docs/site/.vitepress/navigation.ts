import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { packageEntries } from "../../scripts/content/packages.ts";
import { titleOf } from "../../scripts/content/page.ts";
import { find, placeOf, ROOT } from "../../scripts/content/paths.ts";

type Item = DefaultTheme.SidebarItem;

const addressOf = (place: string): string => `/${place.replace(/(index)?\.md$/, "")}`;

/** A link to a written document, named by its first heading. */
function link(file: string): Item {
  return { text: titleOf(readFileSync(join(ROOT, file), "utf8")), link: addressOf(placeOf(file)) };
}

/** Documents of a folder: first those that are named, in their order, then those that were added since. */
function folder(pattern: string, first: readonly string[]): Item[] {
  const all = find([pattern]);
  const rank = (file: string): number => {
    const at = first.findIndex((name) => file.endsWith(`/${name}.md`));
    return at === -1 ? first.length : at;
  };
  return [...all].sort((a, b) => rank(a) - rank(b)).map(link);
}

const files = (names: readonly string[]): Item[] => names.filter((name) => find([name]).length > 0).map(link);

const GUIDES = [
  "explorer",
  "curl",
  "maps",
  "maplibre",
  "openlayers",
  "qgis",
  "gdal",
  "pystac-client",
  "pandas",
  "xarray",
  "r",
  "notebooks",
  "timeseries",
  "statistics",
  "filters",
  "counts",
  "openeo",
  "mcp",
  "accounts",
  "units",
];
/** Guides for who runs the service. */
const OWNERS = ["own-archive", "legacy-hosts"];

function main(): Item[] {
  const guides = folder("docs/guides/*.md", GUIDES).filter(
    ({ link: to = "" }) => !OWNERS.some((name) => to.endsWith(name)),
  );
  const known = [
    "operations",
    "access",
    "performance",
    "packages",
    "licenses",
    "architecture",
    "conformance",
    "tutorial",
  ];
  const added = find(["docs/*.md"]).filter((file) => !known.some((name) => file === `docs/${name}.md`));
  return [
    {
      text: "Start",
      items: [
        { text: "What Swath is", link: "/" },
        ...files(["docs/tutorial.md"]),
        { text: "First steps in a shell", link: "/readme" },
        { text: "Changelog", link: "/changelog" },
        ...find(["docs/releases/*.md"]).map(link),
      ],
    },
    { text: "Guides", items: guides },
    {
      text: "Concepts",
      items: folder("docs/concepts/*.md", ["collections", "crosswalk", "harmonization", "masks", "mosaics"]),
    },
    {
      text: "Run your own",
      items: files([
        "docs/operations.md",
        ...OWNERS.map((name) => `docs/guides/${name}.md`),
        "docs/access.md",
        "docs/performance.md",
        ...added,
        "docs/licenses.md",
      ]),
    },
    {
      text: "Reference",
      items: [
        { text: "HTTP API", link: "/http-api" },
        { text: "Errors", link: "/errors/" },
        { text: "Packages", link: "/reference/" },
        ...files(["docs/packages.md", "docs/conformance.md"]),
      ],
    },
    {
      text: "The code",
      items: [...files(["docs/architecture.md", "CONTRIBUTING.md"]), { text: "Decisions", link: "/adr/" }],
    },
    { text: "Examples", items: find(["examples/*/README.md"]).map(link) },
  ];
}

function packages(): Item[] {
  const readmes = find(["packages/*/README.md"]);
  const entries = packageEntries();
  return readmes.map((file) => {
    const name = file.split("/")[1] ?? "";
    const own = entries.filter((entry) => entry.name.split("/")[0] === name);
    return {
      text: `@swath/${name}`,
      items: [
        { text: "What it is for", link: addressOf(placeOf(file)) },
        ...own.map((entry) => ({ text: `Exports of @swath/${entry.name}`, link: `/reference/${entry.name}` })),
      ],
    };
  });
}

/** The list beside each page, by the address that the page begins with. */
export function sidebar(): DefaultTheme.Sidebar {
  const back: Item = { text: "All documents", link: "/" };
  const ofPackages: Item[] = [back, { text: "Packages", link: "/reference/" }, ...packages()];
  return {
    "/adr/": [back, { text: "Decisions", link: "/adr/", items: [...find(["docs/adr/*.md"])].reverse().map(link) }],
    "/reference/": ofPackages,
    "/packages/": ofPackages,
    "/": main(),
  };
}

/** The row at the top of each page. */
export const navigation: DefaultTheme.NavItem[] = [
  { text: "Tutorial", link: "/tutorial" },
  { text: "Guides", link: "/guides/curl", activeMatch: "^/guides/" },
  { text: "API", link: "/http-api", activeMatch: "^/(http-api|errors)" },
  { text: "Packages", link: "/reference/", activeMatch: "^/(reference|packages)/" },
  { text: "Operations", link: "/operations" },
];
