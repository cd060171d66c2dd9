import { z } from "@hono/zod-openapi";
import { HarmonizeLevel, MaskClass, Unit } from "@swath/schema";
import { Alias, Band, MaskSource, PseudoBand } from "@swath/schema/models";
import { Collection, Item, Link } from "@swath/stac";

/** An item as this service writes it. */
export const ItemModel = Item;

export const CollectionModel = Collection.extend({
  bands: z.array(Band).optional(),
  "svc:aliases": z.array(Alias).optional(),
  "svc:attribution": z.string().optional(),
  "svc:units": z.array(Unit).optional(),
  "svc:default_units": Unit.optional(),
  "svc:harmonize_levels": z.array(HarmonizeLevel).optional(),
  "svc:default_harmonize": HarmonizeLevel.optional(),
  "svc:pseudo_bands": z.array(PseudoBand).optional(),
  "svc:mask_source": z.union([MaskSource, z.array(MaskSource)]).optional(),
  "svc:mask_capabilities": z.array(MaskClass).optional(),
  "svc:zoom": z.object({ min: z.int(), scenes: z.int().optional(), max: z.int() }).optional(),
}).meta({ id: "CollectionDocument" });

export const CollectionListModel = z
  .object({
    collections: z.array(CollectionModel),
    links: z.array(Link),
    numberMatched: z.int().optional(),
    numberReturned: z.int().optional(),
  })
  .meta({ id: "CollectionList" });

/** A list whose documents may lack members, because `fields` left them out. */
export const CollectionPartsModel = CollectionListModel.extend({
  collections: z.array(CollectionModel.partial().required({ type: true, id: true }).meta({ id: "CollectionPart" })),
}).meta({ id: "CollectionList" });
