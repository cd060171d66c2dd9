/** A day on which there is something to see in the valley of the invented country. */
export interface Day {
  readonly date: string;
  /** The date as a button has it. */
  readonly written: string;
  readonly name: string;
  /** Words for those who do not see the image. */
  readonly seen: string;
}

/** Days of `docs/concepts/sandbox.md`, which are the same in every archive. The first one is shown at once. */
export const DAYS: readonly [Day, ...Day[]] = [
  { date: "2022-07-20", written: "20 Jul 2022", name: "Harvest", seen: "straw on the fields that are harvested" },
  { date: "2023-01-26", written: "26 Jan 2023", name: "Snow", seen: "snow on the plain and dark forest" },
  { date: "2023-05-16", written: "16 May 2023", name: "Flood", seen: "a brown river over its banks" },
];

/** Zoom of the tiles in Web Mercator. */
export const ZOOM = 13;
/** Edge of a tile: so many of its pixels, and so many of CSS. */
export const EDGE = 512;
/** The middle of the image in columns and rows of the tile matrix. Here the widest image lies on two tiles. */
export const MIDDLE = { x: 4374.86, y: 2922.62 } as const;
export const TILES = [
  { x: 4374, y: 2922 },
  { x: 4375, y: 2922 },
] as const;

/** Returns the address of the map page that shows the valley on a day. */
export const mapPageOf = ({ date }: Day): string => `/explore#dates=${date}/${date}&map=13/45.7486/12.2549`;
