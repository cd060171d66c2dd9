import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { elementWith, type XmlElement } from "@swath/web/xml";
import opentype, { type Font } from "opentype.js";

/** Weights of Inter, the font of charts. */
type Weight = 400 | 600;

/** Look of a line of text, and the place that it is written at: pixels from the left and from the top. */
export interface TextStyle {
  readonly x: number;
  /** Place of the baseline. */
  readonly y: number;
  /** Pixels of an em. */
  readonly size: number;
  readonly color: string;
  /** Default: 400. */
  readonly weight?: Weight;
  /** Part of the text that stands at `x`. Default: its start. */
  readonly align?: "start" | "middle" | "end";
  /** Pixels that the text may take; a longer one ends with an ellipsis. */
  readonly maxWidth?: number;
}

const FILES: Readonly<Record<Weight, string>> = {
  400: "@fontsource/inter/files/inter-latin-400-normal.woff",
  600: "@fontsource/inter/files/inter-latin-600-normal.woff",
};
const require = createRequire(import.meta.url);
const fonts = new Map<Weight, Font>();

function fontOf(weight: Weight = 400): Font {
  const font = fonts.get(weight) ?? readFont(weight);
  fonts.set(weight, font);
  return font;
}

function readFont(weight: Weight): Font {
  const bytes = readFileSync(require.resolve(FILES[weight]));
  return opentype.parse(Uint8Array.from(bytes).buffer);
}

type Sized = Pick<TextStyle, "size" | "weight">;

/** Returns the pixels that a text takes. */
export function textWidth(text: string, { size, weight }: Sized): number {
  const font = fontOf(weight);
  // glyph by glyph: the library's own way to lay out text fails for some substitutions that the font has
  const advances = [...text].map((character) => font.charToGlyph(character).advanceWidth ?? 0);
  return (advances.reduce((sum, advance) => sum + advance, 0) * size) / font.unitsPerEm;
}

/** Returns a text as outlines, which need no font where the chart is drawn; its name is the text, for readers of screens. */
export function textOutline(text: string, style: TextStyle): XmlElement {
  const { x, y, size, color, weight, align = "start", maxWidth = Number.POSITIVE_INFINITY } = style;
  const shown = shortened(text, style, maxWidth);
  const width = textWidth(shown, style);
  let left = align === "start" ? x : align === "end" ? x - width : x - width / 2;
  const outlines = [...shown].map((character) => {
    const outline = fontOf(weight).charToGlyph(character).getPath(left, y, size).toPathData(2);
    left += textWidth(character, style);
    return outline;
  });
  return elementWith("path", { role: "img", "aria-label": text, fill: color, d: outlines.join("") });
}

function shortened(text: string, style: Sized, maxWidth: number): string {
  if (textWidth(text, style) <= maxWidth) return text;
  const characters = [...text];
  let [fits, tooMany] = [0, characters.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (textWidth(`${characters.slice(0, middle).join("")}…`, style) <= maxWidth) fits = middle;
    else tooMany = middle;
  }
  return `${characters.slice(0, fits).join("")}…`;
}
