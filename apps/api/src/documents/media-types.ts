export const GEOJSON = "application/geo+json";
export const JSON_TYPE = "application/json";
export const OPENAPI_TYPE = "application/vnd.oai.openapi+json;version=3.1";
export const COG = "image/tiff; application=geotiff; profile=cloud-optimized";
export const XML_TYPE = "application/xml";
