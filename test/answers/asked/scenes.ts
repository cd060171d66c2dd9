/** Scenes of the synthetic archive as it is made for 2026-06-15. */
export const WEST = "S2B_T33TUL_20240704T100211_L2A";
export const CLOUDY = "S2A_T33TUL_20240706T095331_L2A";
export const EAST = "S2B_T33TVL_20240704T100211_L2A";
export const BEFORE_OFFSET = "S2A_T33TUL_20210705T100211_L2A";
export const NATIVE = "S2C_T33TUL_20260613T100211_L2A";
export const LANDSAT = "LC08_L2SP_191028_20240705_02_T1";

/** Fields and water. */
export const FIELDS = [13.2, 45.45, 13.3, 45.52] as const;
/** Where two Sentinel-2 tiles meet. */
export const SEAM = [13.68, 45.46, 13.8, 45.53] as const;
export const JULY = "2024-07-01/2024-07-31";

export const TRIANGLE = {
  type: "Polygon",
  coordinates: [
    [
      [13.2, 45.45],
      [13.22, 45.45],
      [13.22, 45.47],
      [13.2, 45.45],
    ],
  ],
};
/** Smaller than a pixel of any sensor. */
export const TINY = {
  type: "Polygon",
  coordinates: [
    [
      [13.20001, 45.45001],
      [13.20002, 45.45001],
      [13.20002, 45.45002],
      [13.20001, 45.45001],
    ],
  ],
};
/** A ring that crosses itself. */
export const BOW = {
  type: "Polygon",
  coordinates: [
    [
      [12.6, 45.2],
      [12.9, 45.4],
      [12.9, 45.2],
      [12.6, 45.4],
      [12.6, 45.2],
    ],
  ],
};
