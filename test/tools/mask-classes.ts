/** Numbers of the classes, written down once more: their order in the interface. */
export const CLASS = {
  nodata: 0,
  saturated_defective: 1,
  cloud: 2,
  cloud_shadow: 3,
  cirrus: 4,
  cloud_adjacent: 5,
  snow_ice: 6,
  water: 7,
  dark_terrain_shadow: 8,
  unclassified: 9,
  clear: 10,
} as const;
export const HIDDEN: readonly number[] = [0, 1, 2, 3, 4];

/** Scene classification values as Sentinel-2's product definition lists them. */
export const SCL = [
  CLASS.nodata,
  CLASS.saturated_defective,
  CLASS.dark_terrain_shadow,
  CLASS.cloud_shadow,
  CLASS.clear,
  CLASS.clear,
  CLASS.water,
  CLASS.unclassified,
  CLASS.cloud,
  CLASS.cloud,
  CLASS.cirrus,
  CLASS.snow_ice,
];

/** Reads QA_PIXEL of a sample, by the bits of the Landsat 8-9 Level 2 product guide. */
export function landsat(sample: number): { hidden: boolean; class: number } {
  const bit = (n: number): boolean => ((sample >> n) & 1) === 1;
  if (bit(0)) return { hidden: true, class: CLASS.nodata };
  const cloud = bit(3) || ((sample >> 8) & 3) >= 2;
  const order: readonly (readonly [boolean, number])[] = [
    [cloud, CLASS.cloud],
    [bit(4), CLASS.cloud_shadow],
    [bit(2), CLASS.cirrus],
    [bit(1), CLASS.cloud_adjacent],
    [bit(5), CLASS.snow_ice],
    [bit(7), CLASS.water],
    [bit(6), CLASS.clear],
  ];
  const found = order.find(([applies]) => applies);
  // what says nothing, not even "clear", is no data
  if (found === undefined) return { hidden: true, class: CLASS.nodata };
  return { hidden: cloud || bit(4) || bit(2), class: found[1] };
}
