import { z } from "@hono/zod-openapi";
import { JSON_TYPE } from "@swath/web";
import type { MapToken } from "../../maps/map-tokens.ts";
import { dateTime, Name } from "./models.ts";

/** Path of the documents of maps. */
export const MAPS = "/v1/maps";
const MAX_LISTED = 50;

/** Whether a text is the origin of a web page as browsers send it (RFC 6454 section 6.1). */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;
}

const listOf = (item: z.ZodType<string>, description: string) =>
  z
    .array(item)
    .min(1)
    .max(MAX_LISTED)
    .refine((values) => new Set(values).size === values.length, { error: "Expected each once, got one twice." })
    .optional()
    .openapi({ description });
const id = z.string().min(1).max(100);

/** Body of a request for a map token. */
export const NewMapBody = z
  .strictObject({
    name: Name.optional(),
    presets: listOf(id, "Ids of the presets that the map shows, `custom` among them; default: all."),
    collections: listOf(id, "Ids of the collections that the map shows; default: all."),
    origins: listOf(
      z.string().max(300).refine(isOrigin, { error: "Expected an origin such as https://example.com." }),
      "Origins of the pages that may show the map; requests without an origin, such as those of `<img>`, are taken. Default: all.",
    ),
    unitsPerDay: z
      .int()
      .min(1)
      .max(100_000)
      .default(1000)
      .openapi({ description: "Units that the map spends in a UTC day at most." }),
    expiresInDays: z.int().min(1).max(365).default(90),
  })
  .meta({ id: "NewMapBody" });

const listed = z.array(z.string()).nullable().openapi({ description: "null: all." });

/** Makes the model of a map's document, with the service's model of links. */
export const mapModel = (link: z.ZodType) =>
  z
    .object({
      id: z.string(),
      name: z.string().nullable(),
      prefix: z.string().openapi({ description: "First eight characters of the token." }),
      status: z.enum(["active", "expired", "ended"]),
      presets: listed,
      collections: listed,
      origins: listed,
      unitsPerDay: z.int(),
      created: dateTime,
      expires: dateTime,
      links: z.array(link),
    })
    .meta({ id: "Map", description: "A map token, without the token." });
/** The model of a map's document. */
export type MapModel = ReturnType<typeof mapModel>;

/** Writes the document of a map. */
export function mapDocument(map: MapToken, baseUrl: string) {
  const { id, name, prefix, status, presets, collections, origins, unitsPerDay, created, expires } = map;
  return {
    id,
    name: name ?? null,
    prefix,
    status,
    presets: presets ?? null,
    collections: collections ?? null,
    origins: origins ?? null,
    unitsPerDay,
    created: new Date(created).toISOString(),
    expires: new Date(expires).toISOString(),
    links: [{ rel: "self", href: `${baseUrl}${MAPS}/${id}`, type: JSON_TYPE, title: "This map" }],
  };
}

/**
 * Returns links to the addresses that a map token answers; the names in braces are for the client to replace.
 *
 * @param base address below which they are, with the token
 */
export function mapAddresses(base: string, { presets: [preset = "true-color"] = [] }: Pick<MapToken, "presets">) {
  const png = { type: "image/png" };
  return [
    { rel: "tiles", href: `${base}/tiles/${preset}/WebMercatorQuad/{z}/{x}/{y}.png`, ...png, title: "Tiles" },
    { rel: "tilejson", href: `${base}/presets/${preset}/tilejson.json`, type: JSON_TYPE, title: "TileJSON" },
    { rel: "wmts", href: `${base}/wmts/WMTSCapabilities.xml`, type: "application/xml", title: "WMTS" },
    {
      rel: "preview",
      href: `${base}/collections/{collectionId}/items/{itemId}/preview.png`,
      ...png,
      title: "Image of one scene",
    },
  ];
}
