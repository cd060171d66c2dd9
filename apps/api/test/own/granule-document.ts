/** Directions to sun and sensor at a point in metres of the granule's CRS, degrees. */
export interface DrawnAngles {
  readonly sun: (x: number, y: number) => readonly [zenith: number, azimuth: number];
  /** `undefined` where no detector saw the ground. */
  readonly view: (x: number, y: number) => readonly [zenith: number, azimuth: number] | undefined;
}

const NODES = 23;
const STEP = 5000;

/** Granule metadata of Sentinel-2 (MTD_TL.xml) with the parts that angles are read from: one detector, these bands. */
export function granuleDocument(
  [west, north]: readonly [number, number],
  { sun, view }: DrawnAngles,
  bandIds: readonly number[],
): string {
  const grid = (of: (x: number, y: number) => number | undefined): string => {
    const rows = Array.from({ length: NODES }, (_, row) =>
      Array.from({ length: NODES }, (_, column) => of(west + column * STEP, north - row * STEP)?.toFixed(6) ?? "NaN"),
    );
    const values = rows.map((row) => `<VALUES>${row.join(" ")}</VALUES>`).join("\n");
    return `<COL_STEP unit="m">${STEP}</COL_STEP><ROW_STEP unit="m">${STEP}</ROW_STEP><Values_List>${values}</Values_List>`;
  };
  const directions = (of: DrawnAngles["view"]): string =>
    `<Zenith>${grid((x, y) => of(x, y)?.[0])}</Zenith><Azimuth>${grid((x, y) => of(x, y)?.[1])}</Azimuth>`;
  const views = bandIds.map(
    (id) =>
      `<Viewing_Incidence_Angles_Grids bandId="${id}" detectorId="7">${directions(view)}</Viewing_Incidence_Angles_Grids>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<n1:Level-2A_Tile_ID xmlns:n1="https://psd-14.sentinel2.eo.esa.int/PSD/S2_PDI_Level-2A_Tile_Metadata.xsd">
<n1:Geometric_Info><Tile_Geocoding metadataLevel="Brief"><HORIZONTAL_CS_CODE>EPSG:32633</HORIZONTAL_CS_CODE>
<Geoposition resolution="10"><ULX>${west}</ULX><ULY>${north}</ULY><XDIM>10</XDIM><YDIM>-10</YDIM></Geoposition>
</Tile_Geocoding><Tile_Angles metadataLevel="Standard"><Sun_Angles_Grid>${directions(sun)}</Sun_Angles_Grid>
${views.join("\n")}</Tile_Angles></n1:Geometric_Info></n1:Level-2A_Tile_ID>`;
}
