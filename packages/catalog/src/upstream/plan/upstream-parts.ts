import { type Filter, filterProperties, type ItemQuery, type SortField } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import { CLOUD_COVER } from "../../names/queried-as.ts";
import type { SortValue } from "../../order/token.ts";
import type { Abilities } from "../abilities/upstream-conformance.ts";
import { hasField, isAlwaysThere, isCollectionField } from "./upstream-order.ts";

/** A part of a search: items that have the same values in the first fields of the order. */
export interface Part {
  readonly collections: readonly CollectionSchema[];
  readonly constants: readonly SortValue[];
  /** Conditions that make it, besides those of the search. */
  readonly pieces: readonly Filter[];
  /** Whether it is the whole search. */
  readonly isWhole: boolean;
}

/** The parts of a search of these collections, which no two share an item of. */
export function partsOf(
  collections: readonly CollectionSchema[],
  order: readonly SortField[],
  query: ItemQuery,
  abilities: Abilities,
): Part[] {
  if (collections.length === 0) return [];
  return divided({ collections, constants: [], pieces: [], isWhole: true }, order, query, abilities);
}

function divided(part: Part, order: readonly SortField[], query: ItemQuery, abilities: Abilities): Part[] {
  const { collections, constants, pieces } = part;
  const field = order[constants.length]?.field;
  if (field === undefined) return [part];
  const further = (values: Part[]): Part[] => values.flatMap((each) => divided(each, order, query, abilities));
  const absent = collections.filter((collection) => !hasField(collection, field));
  if (absent.length > 0) {
    const present = collections.filter((collection) => !absent.includes(collection));
    const isWhole = part.isWhole && present.length === 0;
    return [
      ...further([{ collections: absent, constants: [...constants, null], pieces, isWhole }]),
      ...(present.length === 0
        ? []
        : divided({ ...part, collections: present, isWhole: false }, order, query, abilities)),
    ];
  }
  const groups = constantGroups(field, collections);
  if (groups !== undefined) {
    return further(
      groups.map(([value, those]) => ({
        collections: those,
        constants: [...constants, value],
        pieces: groups.length > 1 && field === "platform" ? [...pieces, isEqual(field, value)] : pieces,
        isWhole: part.isWhole && groups.length === 1,
      })),
    );
  }
  if (isAlwaysThere(field)) return [part];
  const isNull: Filter = { op: "isNull", operand: { property: field } };
  return [
    { ...part, pieces: [...pieces, ...valuedPieces(field, query, abilities)] },
    ...further([{ ...part, constants: [...constants, null], pieces: [...pieces, isNull], isWhole: false }]),
  ];
}

/** The values of a field by the collections whose items all have them; `undefined` where that is not known. */
function constantGroups(
  field: string,
  collections: readonly CollectionSchema[],
): [string, CollectionSchema[]][] | undefined {
  const valuesOf = ({ id, platforms, constellation }: CollectionSchema): readonly string[] => {
    if (isCollectionField(field)) return [id];
    if (field === "platform") return platforms;
    return field === "constellation" && constellation !== undefined ? [constellation] : [];
  };
  if (collections.some((collection) => valuesOf(collection).length === 0)) return undefined;
  const values = [...new Set(collections.flatMap(valuesOf))];
  return values.map((value) => [value, collections.filter((each) => valuesOf(each).includes(value))]);
}

function isEqual(property: string, literal: string): Filter {
  return { op: "compare", operator: "eq", left: { property }, right: { literal } };
}

/** A range that every value lies in, for an upstream that would send items without one first; it spoils a count. */
function valuedPieces(field: string, { filter }: ItemQuery, { kind }: Abilities): Filter[] {
  const isAsked = filter !== undefined && filterProperties(filter).has(field);
  if (field !== "eo:cloud_cover" || kind.paging.counts || isAsked) return [];
  return [
    {
      op: "between",
      operand: { property: field },
      lower: { literal: CLOUD_COVER.least },
      upper: { literal: CLOUD_COVER.most },
    },
  ];
}
