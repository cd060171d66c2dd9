import { LEGEND_SIZE } from "@swath/chart/legend-size";
import { type ImageFormat, MEDIA_TYPES } from "@swath/engine/node/images";
import { matrixSize, TILE_MATRIX_SETS, type TileMatrixSetId } from "@swath/raster";
import { element, elementWith, type XmlElement, xmlDocument } from "@swath/web/xml";
import type { Layer, MatrixLimits } from "../operations/wmts-layers.ts";

/** Edge of a tile, pixels. */
const TILE_SIZE = "256";

const NAMESPACES = {
  xmlns: "http://www.opengis.net/wmts/1.0",
  "xmlns:ows": "http://www.opengis.net/ows/1.1",
  "xmlns:xlink": "http://www.w3.org/1999/xlink",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation":
    "http://www.opengis.net/wmts/1.0 http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd",
};

/** CRSs of the tile matrix sets as URNs, the spelling that clients of WMTS 1.0.0 know. */
const CRS_URNS: Readonly<Record<TileMatrixSetId, string>> = {
  WebMercatorQuad: "urn:ogc:def:crs:EPSG::3857",
  WorldCRS84Quad: "urn:ogc:def:crs:OGC:1.3:CRS84",
};

/** Facts about the service of the capabilities. */
export interface CapabilitiesOptions {
  readonly title: string;
  /** Address below which the routes of images are, without a trailing slash. */
  readonly apiUrl: string;
  /** Address of the interface, whose documents need no token. */
  readonly v1: string;
  /** Path of this document below `apiUrl`. */
  readonly path: string;
}

/** The capabilities document of OGC 07-057r7 (Web Map Tile Service 1.0.0): RESTful addresses and key-value pairs. */
export function capabilitiesDocument(layers: readonly Layer[], options: CapabilitiesOptions): string {
  const { title, apiUrl, v1, path } = options;
  const sets = [...new Set(layers.flatMap((layer) => layer.sets.map(({ id }) => id)))];
  return xmlDocument(
    elementWith(
      "Capabilities",
      { ...NAMESPACES, version: "1.0.0" },
      element(
        "ows:ServiceIdentification",
        element("ows:Title", title),
        element("ows:ServiceType", "OGC WMTS"),
        element("ows:ServiceTypeVersion", "1.0.0"),
      ),
      element(
        "ows:OperationsMetadata",
        operation("GetCapabilities", `${apiUrl}/wmts?`, `${apiUrl}${path}`),
        // clients take the first encoding that they know; by key-value pairs all of a layer's tiles are of one format
        operation("GetTile", `${apiUrl}/wmts?`, `${apiUrl}/tiles/`),
      ),
      element("Contents", ...layers.map((layer) => layerElement(layer, apiUrl, v1)), ...sets.map(tileMatrixSet)),
      elementWith("ServiceMetadataURL", { "xlink:href": `${apiUrl}${path}` }),
    ),
  );
}

function operation(name: string, keyValueUrl: string, restfulUrl: string): XmlElement {
  const get = (href: string, encoding: string): XmlElement =>
    elementWith(
      "ows:Get",
      { "xlink:href": href },
      elementWith(
        "ows:Constraint",
        { name: "GetEncoding" },
        element("ows:AllowedValues", element("ows:Value", encoding)),
      ),
    );
  return elementWith(
    "ows:Operation",
    { name },
    element("ows:DCP", element("ows:HTTP", get(keyValueUrl, "KVP"), get(restfulUrl, "RESTful"))),
  );
}

function layerElement(layer: Layer, apiUrl: string, v1: string): XmlElement {
  const { preset, collection, identifier, bbox, time, formats, sets, attribution } = layer;
  const [west, south, east, north] = bbox;
  return element(
    "Layer",
    element("ows:Title", `${preset.title}, ${collection.title}`),
    element("ows:Abstract", [preset.description, attribution].filter((text) => text !== undefined).join(" ")),
    element(
      "ows:WGS84BoundingBox",
      element("ows:LowerCorner", `${west} ${south}`),
      element("ows:UpperCorner", `${east} ${north}`),
    ),
    element("ows:Identifier", identifier),
    elementWith(
      "Style",
      { isDefault: "true" },
      element("ows:Title", preset.title),
      element("ows:Identifier", "default"),
      elementWith("LegendURL", {
        format: "image/png",
        "xlink:href": legendAddress(layer, v1),
        width: String(LEGEND_SIZE.width),
        height: String(LEGEND_SIZE.height),
      }),
    ),
    ...formats.map((format) => element("Format", MEDIA_TYPES[format])),
    element(
      "Dimension",
      element("ows:Identifier", "Time"),
      element("ows:UOM", "ISO8601"),
      element("Default", time),
      // a preset without a window is drawn from the whole collection
      ...[...new Set([time, `${collection.start}/..`])].map((value) => element("Value", value)),
    ),
    ...sets.map(({ id, limits }) =>
      element(
        "TileMatrixSetLink",
        element("TileMatrixSet", id),
        element("TileMatrixSetLimits", ...limits.map(matrixLimits)),
      ),
    ),
    ...formats.map((format) =>
      elementWith("ResourceURL", {
        format: MEDIA_TYPES[format],
        resourceType: "tile",
        template: tileTemplate(layer, format, apiUrl),
      }),
    ),
  );
}

function legendAddress({ preset, collectionId }: Layer, v1: string): string {
  const collection = collectionId === preset.collection ? "" : `?collection=${encodeURIComponent(collectionId)}`;
  return `${v1}/presets/${encodeURIComponent(preset.id)}/legend.png${collection}`;
}

function tileTemplate({ preset, collectionId }: Layer, format: ImageFormat, apiUrl: string): string {
  const collection = collectionId === preset.collection ? "" : `collection=${encodeURIComponent(collectionId)}&`;
  const tile = `{TileMatrixSet}/{TileMatrix}/{TileCol}/{TileRow}.${format}`;
  return `${apiUrl}/tiles/${encodeURIComponent(preset.id)}/${tile}?${collection}datetime={Time}`;
}

function matrixLimits({ zoom, minRow, maxRow, minColumn, maxColumn }: MatrixLimits): XmlElement {
  return element(
    "TileMatrixLimits",
    element("TileMatrix", String(zoom)),
    element("MinTileRow", String(minRow)),
    element("MaxTileRow", String(maxRow)),
    element("MinTileCol", String(minColumn)),
    element("MaxTileCol", String(maxColumn)),
  );
}

function tileMatrixSet(id: TileMatrixSetId): XmlElement {
  const { title, wellKnownScaleSet, bounds, scaleDenominator, maxZoom } = TILE_MATRIX_SETS[id];
  const topLeft = `${bounds[0]} ${bounds[3]}`;
  const matrices = Array.from({ length: maxZoom + 1 }, (_, zoom) => {
    const { width, height } = matrixSize(id, zoom);
    return element(
      "TileMatrix",
      element("ows:Identifier", String(zoom)),
      element("ScaleDenominator", String(scaleDenominator / 2 ** zoom)),
      element("TopLeftCorner", topLeft),
      element("TileWidth", TILE_SIZE),
      element("TileHeight", TILE_SIZE),
      element("MatrixWidth", String(width)),
      element("MatrixHeight", String(height)),
    );
  });
  return element(
    "TileMatrixSet",
    element("ows:Title", title),
    element("ows:Identifier", id),
    element("ows:SupportedCRS", CRS_URNS[id]),
    element("WellKnownScaleSet", wellKnownScaleSet),
    ...matrices,
  );
}
