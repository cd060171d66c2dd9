import { StyleError } from "../errors.ts";
import { COLORMAP_TABLES } from "./colormap-tables.ts";

/** Names that `colormap` knows, in lower case. Each also exists reversed, with `_r` at its end. */
export const COLORMAPS: readonly string[] = Object.keys(COLORMAP_TABLES);

const made = new Map<string, Uint8Array>();

/**
 * 256 × RGBA, opaque, equal to matplotlib's table of that name. `_r` at the end reverses it; case does not matter.
 * The array is shared: copy it before changing it.
 *
 * @throws {StyleError} `unknown-colormap`.
 */
export function colormap(name: string): Uint8Array {
  const key = name.toLowerCase();
  const known = made.get(key);
  if (known !== undefined) return known;
  const reversed = key.endsWith("_r");
  const base = reversed ? key.slice(0, -2) : key;
  const text = Object.hasOwn(COLORMAP_TABLES, base) ? COLORMAP_TABLES[base] : undefined;
  if (text === undefined) {
    throw new StyleError("unknown-colormap", `Expected one of ${COLORMAPS.join(", ")}, got "${name.slice(0, 50)}".`);
  }
  const table = decode(text, reversed);
  made.set(key, table);
  return table;
}

function decode(text: string, reversed: boolean): Uint8Array {
  const table = new Uint8Array(1024).fill(255);
  text.split(";").forEach((channel, c) => {
    const comma = channel.indexOf(",");
    let value = Number(channel.slice(0, comma));
    let i = 0;
    const put = (): void => {
      table[(reversed ? 255 - i : i) * 4 + c] = value;
      i += 1;
    };
    put();
    for (const [, letter = "", count] of channel.slice(comma + 1).matchAll(/([^\d])(\d*)/g)) {
      for (let repeat = Number(count || 1); repeat > 0; repeat--) {
        value += letter.charCodeAt(0) - 80;
        put();
      }
    }
  });
  return table;
}
