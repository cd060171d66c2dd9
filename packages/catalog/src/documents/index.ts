export {
  type CollectionParameters,
  type CollectionSearch,
  foundCollections,
  parseCollectionSearch,
  type SearchedCollection,
} from "../collections/collection-search.ts";
export { aggregationEntry, aggregationsOf, type CountsDocument, countsDocument } from "./aggregations.ts";
export { QUERYABLES_REL, queryablesDocument, SCHEMA_JSON, SORTABLES_REL, sortablesDocument } from "./queryables.ts";
