/** Colours of the map's own layers. */
export interface MapColors {
  readonly sea: string;
  readonly land: string;
  readonly coast: string;
  readonly outline: string;
  readonly chosen: string;
  readonly halo: string;
  readonly border: string;
  readonly text: string;
}

export const LIGHT: MapColors = {
  sea: "#dfe7ea",
  land: "#f3f2ec",
  coast: "#b4bfc0",
  outline: "#34566b",
  chosen: "#d9480f",
  halo: "#ffffff",
  border: "#6d6a7c",
  text: "#16202a",
};
export const DARK: MapColors = {
  sea: "#10161b",
  land: "#1d252b",
  coast: "#3b4852",
  outline: "#a9c6d8",
  chosen: "#ff9a5c",
  halo: "#0b0f12",
  border: "#a59fb8",
  text: "#eef1f3",
};
