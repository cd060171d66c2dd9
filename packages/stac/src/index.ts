export {
  type CallOptions,
  createStacClient,
  type PageOptions,
  type SearchPage,
  type StacClient,
  type StacClientOptions,
} from "./client.ts";
export { StacClientError } from "./errors.ts";
export {
  Aggregation,
  AggregationAnswer,
  AggregationCollection,
  Catalog,
  Collection,
  Item,
  LandingAnswer,
  Link,
  PartialItem,
} from "./models.ts";
export type { PageHeaders, PageRequest, SearchBody } from "./paging.ts";
