import type { ShareView } from "../share-view.ts";
import { tilesOf } from "./addresses.ts";
import { codeText, markupText } from "./quote.ts";

/** Half the width of the world in EPSG:3857, metres. */
const HALF_WORLD = 20_037_508.342789244;
const LONGEST_SIDE = 1000;
/** Latitude at which web maps end. */
const LAST_LATITUDE = 85.05;

const doorOf = ({ token }: ShareView) => (token === undefined ? "key" : "map");

/** A box in EPSG:3857: upper left and lower right corner, as `-projwin` wants them. */
function projwin({ bbox: [west, south, east, north] }: ShareView): readonly [number, number, number, number] {
  const x = (lon: number): number => (lon / 180) * HALF_WORLD;
  const y = (lat: number): number => {
    const bounded = Math.max(-LAST_LATITUDE, Math.min(LAST_LATITUDE, lat));
    return (Math.log(Math.tan(Math.PI / 4 + (bounded * Math.PI) / 360)) / Math.PI) * HALF_WORLD;
  };
  return [x(west), y(north), x(east), y(south)];
}

/** Commands that make an image of the view with GDAL, georeferenced. */
export function gdalCode(view: ShareView): string {
  const { minzoom, maxzoom, token } = view;
  const [left, top, right, bottom] = projwin(view);
  const longest = Math.max(right - left, top - bottom);
  const [width, height] = [right - left, top - bottom].map((side) =>
    Math.max(1, Math.round((side / longest) * LONGEST_SIDE)),
  );
  const address = markupText(tilesOf(view, doorOf(view)).replace(/\{([zxy])\}/g, "$$$&"));
  return `${token === undefined ? 'export GDAL_HTTP_HEADERS="X-API-Key: $KEY"\n' : ""}cat > swath.xml <<'XML'
<GDAL_WMS>
  <Service name="TMS">
    <ServerUrl>${address}</ServerUrl>
  </Service>
  <DataWindow>
    <UpperLeftX>-${HALF_WORLD}</UpperLeftX><UpperLeftY>${HALF_WORLD}</UpperLeftY>
    <LowerRightX>${HALF_WORLD}</LowerRightX><LowerRightY>-${HALF_WORLD}</LowerRightY>
    <TileLevel>${maxzoom}</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY><YOrigin>top</YOrigin>
  </DataWindow>
  <Projection>EPSG:3857</Projection><BandsCount>4</BandsCount>
  <BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY>
  <OverviewCount>${maxzoom - minzoom}</OverviewCount>
</GDAL_WMS>
XML
gdal_translate -q -outsize ${width} ${height} \\
  -projwin ${[left, top, right, bottom].map((metres) => metres.toFixed(2)).join(" ")} \\
  swath.xml view.tif
`;
}

const SEND_KEY = (server: string): string => `import os

from qgis.core import QgsNetworkAccessManager


def send_key(request):
    if request.url().toString().startswith(${codeText(`${server}/`)}):
        request.setRawHeader(b"X-API-Key", os.environ["KEY"].encode())


QgsNetworkAccessManager.setRequestPreprocessor(send_key)

`;

/** Code for the Python console of QGIS that adds the view as a layer. */
export function qgisCode(view: ShareView): string {
  const { minzoom, maxzoom, title, server, token, opacity } = view;
  return `${token === undefined ? SEND_KEY(server) : ""}from urllib.parse import quote

from qgis.core import QgsProject, QgsRasterLayer

address = ${codeText(tilesOf(view, doorOf(view)))}
layer = QgsRasterLayer(
    "type=xyz&zmin=${minzoom}&zmax=${maxzoom}&url=" + quote(address, safe=""), ${codeText(title)}, "wms"
)
${opacity === 1 ? "" : `layer.setOpacity(${opacity})\n`}QgsProject.instance().addMapLayer(layer)
`;
}
