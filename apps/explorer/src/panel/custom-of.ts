import type { Custom } from "../view/view.ts";

/** Names alone: letters, digits and lines below, divided by commas. */
const NAMES = /^\s*\w+(\s*,\s*\w+)*\s*$/;

/** Reads what is typed in one field: names of bands, or an expression where there is more than names. */
export function customOf(what: string, rescale: string, colormap: string): Custom {
  return {
    ...(NAMES.test(what) ? { bands: what.replace(/\s/g, "") } : { expression: what.trim() }),
    ...(rescale.trim() === "" ? {} : { rescale: rescale.replace(/\s/g, "") }),
    ...(colormap === "" ? {} : { colormap }),
  };
}
