export const GEOJSON = "application/geo+json";
export { JSON_TYPE } from "@swath/web";
export const OPENAPI_TYPE = "application/vnd.oai.openapi+json;version=3.1";
export const COG = "image/tiff; application=geotiff; profile=cloud-optimized";
export const XML_TYPE = "application/xml";

export const CSV = "text/csv";
/** The media type of tables, with RFC 4180's parameter that says that the first line names the columns. */
export const CSV_WITH_HEADER = "text/csv; charset=utf-8; header=present";
