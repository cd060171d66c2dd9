import { SEARCH_UNITS, upstreamsNamed } from "@swath/engine/search";
import { itemTime } from "@swath/query";
import { FilterBody } from "../../bodies/search.ts";
import { featureDocument, MarkedItemCollection, pageMembers, postSearchLinks } from "../../documents/item-page.ts";
import { counted } from "../../open/counted.ts";
import { searchItems } from "../../operations/search.ts";
import { type Asked, coverageOf } from "../coverage.ts";
import { defineTool, type ToolServices } from "../tool.ts";
import { placeAsked } from "./search-place.ts";

/** Most items of one answer: it is one message. */
const MAX_ITEMS = 100;
/** Properties of items where `fields` names none; the text has them in its own words. */
const SHORT_PROPERTIES = ["datetime", "platform", "eo:cloud_cover", "gsd"];
/** Members of items where `fields` names none: with files and links an item is some 20 kB. */
const SHORT_FIELDS = {
  include: ["id", "collection", "bbox", ...SHORT_PROPERTIES.map((name) => `properties.${name}`)],
};

const DESCRIPTION = `Finds satellite scenes (STAC items) by place, time and cloud cover, newest first. A scene is one image of the ground that a satellite took, some 100 to 185 km wide. Use it to learn what exists, and for the ids that \`render\` takes.
- bbox: [west, south, east, north] in degrees, longitude before latitude; or intersects: a GeoJSON geometry. Not both.
- datetime: a day, an instant or an interval such as "2024-06-01/2024-08-31"; ".." is an open end.
- collections: ids or aliases from the tool \`collections\`, such as ["sentinel-2-l2a"]; default all.
- query: {"eo:cloud_cover": {"lte": 20}} leaves out scenes with more than 20 percent of cloud. filter: CQL2 JSON.
- sortby: [{"field": "eo:cloud_cover", "direction": "asc"}] gives the clearest first; default newest first.
- limit: items of a page, default 10, at most ${MAX_ITEMS}. For the next page give the token of the link "next".
- fields: by default items have id, collection, bbox, time, platform, cloud cover (percent) and gsd (metres). {"include": ["properties.view:sun_elevation"]} adds a property, {"include": ["assets"]} files.
Costs ${SEARCH_UNITS} units. Example: {"collections": ["sentinel-2-l2a"], "bbox": [13.2, 45.4, 13.4, 45.6], "datetime": "2024-06-01/2024-08-31", "query": {"eo:cloud_cover": {"lte": 20}}, "limit": 5}`;

export const search = defineTool({
  name: "search",
  title: "Search satellite scenes",
  description: DESCRIPTION,
  notes: {
    bbox: "West, south, east, north in degrees; west > east across the antimeridian.",
    intersects: "GeoJSON geometry in degrees, longitude first, instead of `bbox`.",
    datetime: "RFC 3339 day, instant or interval, UTC; `..` is an open end.",
    limit: `Items of a page; at most ${MAX_ITEMS} come.`,
    query:
      'Conditions on properties, such as {"eo:cloud_cover": {"lte": 20}} in percent; degrees of angles, metres of gsd.',
    sortby: 'Order: [{"field": "eo:cloud_cover", "direction": "asc"}]; default newest first.',
    "sortby.field": "A property of items.",
    "sortby.direction": "asc: the least first.",
    fields: "Members of items to give.",
    "fields.include": "Such as assets, or properties.gsd.",
    "fields.exclude": "Members to leave out.",
    token: 'Of the link "next" of the page before.',
    "filter-lang": "Language of `filter`.",
    "filter-crs": "CRS of geometries in `filter`: degrees.",
  },
  input: FilterBody,
  output: MarkedItemCollection,
  async call(input, { services, baseUrl, authentication, signal, admit }) {
    const { catalog, registry, pageTokens } = services;
    await admit(SEARCH_UNITS);
    const parameters = { fields: SHORT_FIELDS, ...input };
    const { page, fields } = await searchItems(
      { catalog, registry, pageTokens },
      { parameters, from: "body", takesFilters: true, maxLimit: MAX_ITEMS },
      { signal },
    );
    const features = page.items.map((item) => featureDocument(item, { baseUrl, authentication, registry, fields }));
    const members = pageMembers(page, { links: postSearchLinks(baseUrl), baseUrl, isMarked: true });
    const lines = page.items.map((item, i) => lineOf(item, features[i] ?? {}));
    const { numberMatched } = members;
    const found = numberMatched === undefined ? "" : `${features.length} of `;
    const { missing, unreadable } = page;
    const lacking = [
      ...(unreadable === undefined ? [] : [`The upstream catalog failed on ${unreadable} more of this page.`]),
      ...(missing === undefined ? [] : [`${upstreamsNamed(missing)} did not answer: its scenes are missing here.`]),
    ];
    const more = page.next === undefined ? [] : [`There are more: give the token ${JSON.stringify(page.next)}.`];
    const nothing = features.length > 0 || input.token !== undefined ? [] : [await coverage(services, input, signal)];
    return {
      structured: { type: "FeatureCollection", features, ...members },
      text: [
        `${found}${counted(numberMatched ?? features.length, "scene")}.`,
        ...lines,
        ...lacking,
        ...more,
        ...nothing,
      ].join("\n"),
    };
  },
});

interface Found {
  readonly id: string;
  readonly collection: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A scene, and what `fields` asked for beside. */
function lineOf({ id, collection, properties }: Found, feature: Readonly<Record<string, unknown>>): string {
  const cloud = properties["eo:cloud_cover"];
  const clouds = typeof cloud === "number" ? `, ${cloud.toFixed(1)} % cloud` : "";
  const shown = Object.entries((feature.properties ?? {}) as Readonly<Record<string, unknown>>).flatMap(
    ([name, value]) =>
      SHORT_PROPERTIES.includes(name) || typeof value === "object" ? [] : [`, ${name} ${String(value)}`],
  );
  return `${id} (${collection}, ${String(itemTime(properties))}${clouds}${shown.slice(0, MOST_SHOWN).join("")})`;
}

/** Properties of an item that its line has. */
const MOST_SHOWN = 30;

function coverage(
  services: Pick<ToolServices, "extents" | "registry">,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<string> {
  const { registry } = services;
  const names = [input.collections ?? []].flat().map(String);
  const matches = names.map((name) => registry.find(name)).filter((match) => match !== undefined);
  const collections = matches.length > 0 ? matches.map(({ collection }) => collection) : registry.listed;
  const asked: Asked = { collections, ...placeAsked(input) };
  return coverageOf(services, asked, { signal });
}
