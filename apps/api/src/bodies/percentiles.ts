/** Percentiles of the values in view, in place of the values of a range: `p2,p98`. */
export const PERCENTILES = /^p(\d{1,3}(?:\.\d{1,3})?),p(\d{1,3}(?:\.\d{1,3})?)$/;

/** Reads `p2,p98`; undefined for what is written otherwise. */
export function findPercentiles(text: string): { readonly percentiles: readonly [number, number] } | undefined {
  const [, low, high] = PERCENTILES.exec(text) ?? [];
  return low === undefined || high === undefined ? undefined : { percentiles: [Number(low), Number(high)] };
}
