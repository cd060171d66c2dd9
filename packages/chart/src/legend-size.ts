/** Pixels of a legend. */
export const LEGEND_SIZE = { width: 320, height: 84 } as const;
