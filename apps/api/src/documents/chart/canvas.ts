import { GLYPH, glyphOf } from "./font.ts";

/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number];

/** An opaque image that lines, discs and text are drawn on; coordinates are pixels, the centre of the first at 0.5, 0.5. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  /** Interleaved RGB, row-major. */
  readonly data: Uint8Array;

  constructor(width: number, height: number, background: Color) {
    this.width = width;
    this.height = height;
    this.data = new Uint8Array(width * height * 3);
    for (let i = 0; i < this.data.length; i++) this.data[i] = background[i % 3]!;
  }

  /** A line with round ends, smoothed by how much of it a pixel covers. */
  line(x0: number, y0: number, x1: number, y1: number, thickness: number, color: Color): void {
    const reach = thickness / 2 + 1;
    const [dx, dy] = [x1 - x0, y1 - y0];
    const length = dx * dx + dy * dy;
    const top = Math.max(0, Math.floor(Math.min(y0, y1) - reach));
    const bottom = Math.min(this.height - 1, Math.ceil(Math.max(y0, y1) + reach));
    const left = Math.max(0, Math.floor(Math.min(x0, x1) - reach));
    const right = Math.min(this.width - 1, Math.ceil(Math.max(x0, x1) + reach));
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const [px, py] = [x + 0.5 - x0, y + 0.5 - y0];
        const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
        const distance = Math.hypot(px - along * dx, py - along * dy);
        this.#blend(x, y, color, Math.min(1, Math.max(0, thickness / 2 + 0.5 - distance)));
      }
    }
  }

  disc(x: number, y: number, radius: number, color: Color): void {
    this.line(x, y, x, y, 2 * radius, color);
  }

  /** Horizontal and vertical lines of one pixel, sharp. */
  rule(x0: number, y0: number, x1: number, y1: number, color: Color): void {
    for (let y = Math.round(y0); y <= Math.round(y1); y++) {
      for (let x = Math.round(x0); x <= Math.round(x1); x++) this.#blend(x, y, color, 1);
    }
  }

  /**
   * @param x where the text starts, ends, or has its middle
   * @param y top of the capitals
   * @param scale pixels a dot of the font
   */
  text(text: string, x: number, y: number, color: Color, { align = "start", scale = 2 }: TextOptions = {}): void {
    const width = textWidth(text, scale);
    let left = Math.round(align === "start" ? x : align === "end" ? x - width : x - width / 2);
    for (const character of text) {
      glyphOf(character).forEach((column, i) => {
        for (let row = 0; row < GLYPH.height; row++) {
          if (((column >> row) & 1) === 0) continue;
          const [dotX, dotY] = [left + i * scale, Math.round(y) + row * scale];
          this.rule(dotX, dotY, dotX + scale - 1, dotY + scale - 1, color);
        }
      });
      left += GLYPH.advance * scale;
    }
  }

  #blend(x: number, y: number, color: Color, share: number): void {
    if (share <= 0 || x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const at = (y * this.width + x) * 3;
    for (let i = 0; i < 3; i++) {
      const below = this.data[at + i]!;
      this.data[at + i] = Math.round(below + (color[i]! - below) * share);
    }
  }
}

export interface TextOptions {
  readonly align?: "start" | "middle" | "end";
  readonly scale?: number;
}

/** Pixels that a text takes, without the space after it. */
export function textWidth(text: string, scale: number): number {
  return Math.max(0, [...text].length * GLYPH.advance - 1) * scale;
}
