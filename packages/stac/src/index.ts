export {
  type CallOptions,
  createStacClient,
  type PageOptions,
  type SearchPage,
  type StacClient,
  type StacClientOptions,
} from "./client.ts";
export { StacClientError } from "./errors.ts";
export { GEOJSON, getPageLink, JSON_TYPE, postPageLink, relationLink } from "./links.ts";
export {
  Aggregation,
  AggregationAnswer,
  AggregationCollection,
  Asset,
  BboxArray,
  Catalog,
  Collection,
  CollectionsAnswer,
  Extent,
  GeometryModel,
  Item,
  ItemCollection,
  LandingAnswer,
  Link,
  PartialItem,
  Properties,
  Provider,
  SearchAnswer,
  STAC_VERSION,
} from "./models.ts";
export { nextRequest, type PageHeaders, type PageRequest, type SearchBody } from "./paging.ts";
