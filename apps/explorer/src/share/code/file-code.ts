import type { ShareView } from "../share-view.ts";
import { codeText, readableJson, rText, shellText } from "./quote.ts";

/** The body of `POST /v1/process` that makes a GeoTIFF of the values in view. */
export function processBody(view: ShareView): Readonly<Record<string, unknown>> {
  const { bbox, ring, collection, scene, from, to, order, cloud, units, expression, bands, resolution, epsg } = view;
  const dataFilter =
    scene === undefined
      ? {
          timeRange: { from: `${from}T00:00:00Z`, to: `${to}T23:59:59Z` },
          mosaickingOrder: order,
          ...(cloud === 100 ? {} : { maxCloudCoverage: cloud }),
        }
      : { ids: [scene] };
  return {
    input: {
      bounds: ring === undefined ? { bbox } : { geometry: { type: "Polygon", coordinates: [ring] } },
      data: [{ type: collection, dataFilter, ...(units === undefined ? {} : { processing: { units } }) }],
    },
    ...(expression === undefined ? { bands } : { expression }),
    output: { resx: resolution, resy: resolution, crs: `EPSG:${epsg}` },
  };
}

const bodyText = (view: ShareView): string => readableJson(processBody(view));

export const curlCode = (view: ShareView): string =>
  `curl -sSL --fail-with-body -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -o area.tif \\
  ${view.server}/v1/process -d ${shellText(bodyText(view))}
`;

export const pythonCode = (view: ShareView): string => `import os

import rasterio
import requests

body = ${bodyText(view)}
answer = requests.post(
    ${codeText(`${view.server}/v1/process`)},
    json=body,
    headers={"X-API-Key": os.environ["KEY"]},
    timeout=60,
)
if not answer.ok:
    raise SystemExit(answer.text)
with open("area.tif", "wb") as file:
    file.write(answer.content)

with rasterio.open("area.tif") as area:
    print(area.width, "x", area.height, "pixels,", area.crs)
    for name, values in zip(area.descriptions, area.read(masked=True)):
        print(name, values.min(), values.max())
`;

export const rCode = (view: ShareView): string => `library(httr2)
library(terra)

body <- ${rText(bodyText(view))}
request(${codeText(`${view.server}/v1/process`)}) |>
  req_headers("X-API-Key" = Sys.getenv("KEY")) |>
  req_body_raw(body, type = "application/json") |>
  req_perform(path = "area.tif") |>
  invisible()

area <- rast("area.tif")
print(area)
print(global(area, "range", na.rm = TRUE))
`;
