import { SENTINEL_2_ASSETS } from "./assets.ts";
import { type Direction, sensorOver, sunOver } from "./directions.ts";
import { assetPath } from "./paths.ts";
import { type SandboxScene, SENTINEL_2_COLLECTION } from "./scenes.ts";

/** Nodes in a row and rows of a tile's grids of angles, and metres between them, as ESA gives them. */
const NODES = 23;
const STEP = 5000;
/** The same for the valley, of which there are hundreds: as many as lie around it. */
const VALLEY_NODES = 3;
/** `bandId` 0 to 12: B01 to B08, B8A, B09 to B12. */
const BAND_IDS = Array.from({ length: 13 }, (_, id) => id);

/** Path of a scene's granule metadata below the archive's directory, beside its bands. */
export function metadataPath(scene: SandboxScene): string {
  return assetPath(scene, SENTINEL_2_ASSETS[0]!).replace(/[^/]*$/, "metadata.xml");
}

/**
 * Granule metadata (`MTD_TL.xml`) of a scene of Sentinel-2: its grids of sun and view angles, 23 by 23 nodes 5 km apart
 * from the upper left corner (3 by 3 for the valley), the view of all bands the same. It is `undefined` for other scenes.
 */
export function granuleMetadata(scene: SandboxScene): string | undefined {
  if (scene.collection !== SENTINEL_2_COLLECTION) return undefined;
  const [west, , , north] = scene.bounds;
  const nodes = scene.acquisition.valley ? VALLEY_NODES : NODES;
  const grid = (of: (x: number, y: number) => number): string => {
    const row = (r: number): string =>
      Array.from({ length: nodes }, (_, c) => of(west + c * STEP, north - r * STEP).toFixed(4)).join(" ");
    const values = Array.from({ length: nodes }, (_, r) => `            <VALUES>${row(r)}</VALUES>`);
    return `          <COL_STEP unit="m">${STEP}</COL_STEP>
          <ROW_STEP unit="m">${STEP}</ROW_STEP>
          <Values_List>
${values.join("\n")}
          </Values_List>`;
  };
  const directions = (of: (scene: SandboxScene, x: number, y: number) => Direction): string =>
    `        <Zenith>
${grid((x, y) => of(scene, x, y).zenith)}
        </Zenith>
        <Azimuth>
${grid((x, y) => of(scene, x, y).azimuth)}
        </Azimuth>`;
  const view = directions(sensorOver);
  const views = BAND_IDS.map(
    (id) => `      <Viewing_Incidence_Angles_Grids bandId="${id}" detectorId="6">
${view}
      </Viewing_Incidence_Angles_Grids>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<n1:Level-2A_Tile_ID xmlns:n1="https://psd-14.sentinel2.eo.esa.int/PSD/S2_PDI_Level-2A_Tile_Metadata.xsd">
  <n1:General_Info>
    <SENSING_TIME metadataLevel="Standard">${scene.datetime}</SENSING_TIME>
  </n1:General_Info>
  <n1:Geometric_Info>
    <Tile_Geocoding metadataLevel="Brief">
      <HORIZONTAL_CS_NAME>WGS84 / UTM zone 33N</HORIZONTAL_CS_NAME>
      <HORIZONTAL_CS_CODE>${scene.crs.name}</HORIZONTAL_CS_CODE>
      <Geoposition resolution="10">
        <ULX>${west}</ULX>
        <ULY>${north}</ULY>
        <XDIM>10</XDIM>
        <YDIM>-10</YDIM>
      </Geoposition>
    </Tile_Geocoding>
    <Tile_Angles metadataLevel="Standard">
      <Sun_Angles_Grid>
${directions(sunOver)}
      </Sun_Angles_Grid>
${views.join("\n")}
    </Tile_Angles>
  </n1:Geometric_Info>
</n1:Level-2A_Tile_ID>
`;
}
