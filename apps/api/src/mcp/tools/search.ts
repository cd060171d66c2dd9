import { featureDocument, ItemCollectionModel, pageMembers, postSearchLinks } from "../../documents/item-page.ts";
import { searchItems } from "../../operations/search.ts";
import { SEARCH_UNITS } from "../../plan/cost.ts";
import { FilterBody } from "../../plan/search-body.ts";
import { defineTool } from "../tool.ts";

/** Most items of one answer: it is one message. */
const MAX_ITEMS = 100;
/** Members of items where `fields` names none: with files and links an item is some 20 kB. */
const SHORT_FIELDS = {
  include: [
    "id",
    "collection",
    "bbox",
    "properties.datetime",
    "properties.platform",
    "properties.eo:cloud_cover",
    "properties.gsd",
  ],
};

const DESCRIPTION = `Finds satellite scenes (STAC items) by place, time and cloud cover, newest first. A scene is one image of the ground that a satellite took, some 100 to 185 km wide. Use it to learn what exists, and for the ids that \`render\` takes.
- bbox: [west, south, east, north] in degrees, longitude before latitude; or intersects: a GeoJSON geometry. Not both.
- datetime: a day, an instant or an interval such as "2024-06-01/2024-08-31"; ".." is an open end.
- collections: ids or aliases from the tool \`collections\`, such as ["sentinel-2-l2a"]; default all.
- query: {"eo:cloud_cover": {"lte": 20}} leaves out scenes with more than 20 percent of cloud. filter: CQL2 JSON.
- limit: items of a page, default 10, at most ${MAX_ITEMS}. For the next page give the token of the link "next".
- fields: by default items have id, collection, bbox, time, platform and cloud cover (percent). {"include": ["assets"]} adds files.
Costs ${SEARCH_UNITS} units. Example: {"collections": ["sentinel-2-l2a"], "bbox": [13.2, 45.4, 13.4, 45.6], "datetime": "2024-06-01/2024-08-31", "query": {"eo:cloud_cover": {"lte": 20}}, "limit": 5}`;

export const search = defineTool({
  name: "search",
  title: "Search satellite scenes",
  description: DESCRIPTION,
  input: FilterBody,
  output: ItemCollectionModel,
  async call({ catalog, registry, pageTokens }, input, { baseUrl, authentication, signal, admit }) {
    await admit(SEARCH_UNITS);
    const parameters = { fields: SHORT_FIELDS, ...input };
    const { page, fields } = await searchItems(
      { catalog, registry, pageTokens },
      { parameters, from: "body", takesFilters: true, maxLimit: MAX_ITEMS },
      { signal },
    );
    const features = page.items.map((item) => featureDocument(item, { baseUrl, authentication, registry, fields }));
    const members = pageMembers(page, { links: postSearchLinks(baseUrl), baseUrl });
    const lines = page.items.map(({ id, collection, properties }) => {
      const cloud = properties["eo:cloud_cover"];
      const clouds = typeof cloud === "number" ? `, ${cloud.toFixed(1)} % cloud` : "";
      return `${id} (${collection}, ${String(properties.datetime)}${clouds})`;
    });
    const total = members.numberMatched === undefined ? "" : ` of ${members.numberMatched}`;
    const more = page.next === undefined ? [] : [`There are more: give the token ${JSON.stringify(page.next)}.`];
    return {
      structured: { type: "FeatureCollection", features, ...members },
      text: [`${features.length}${total} scenes.`, ...lines, ...more].join("\n"),
    };
  },
});
