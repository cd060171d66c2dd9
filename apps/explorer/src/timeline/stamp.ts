const FONT = "system-ui, -apple-system, 'Segoe UI', sans-serif";
const MARGIN = 8;
const TITLE_PX = 20;
const CREDIT_PX = 12;

/** Breaks a text between words into lines that are no wider than a width, as `measure` has it. */
export function linesOf(text: string, width: number, measure: (text: string) => number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && measure(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function writeBox(context: CanvasRenderingContext2D, lines: readonly string[], px: number, isBottom: boolean): void {
  const { width, height } = context.canvas;
  const line = Math.round(px * 1.3);
  const boxWidth = Math.max(...lines.map((text) => context.measureText(text).width)) + 2 * MARGIN;
  const boxHeight = lines.length * line + MARGIN;
  const [left, top] = isBottom ? [width - boxWidth, height - boxHeight] : [0, 0];
  context.fillStyle = "rgba(20, 24, 28, 0.72)";
  context.fillRect(left, top, boxWidth, boxHeight);
  context.fillStyle = "#fff";
  context.textBaseline = "top";
  for (const [i, text] of lines.entries()) context.fillText(text, left + MARGIN, top + MARGIN / 2 + i * line);
}

/** Copies a map to a frame, and writes what it shows and whose it is on it. */
export function stampFrame(
  frame: HTMLCanvasElement,
  map: HTMLCanvasElement,
  { title, credit }: { readonly title: string; readonly credit: string },
): void {
  const context = frame.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("The browser has no memory for the frame.");
  const { width, height } = frame;
  context.drawImage(map, 0, 0, width, height);
  const measure = (text: string): number => context.measureText(text).width;
  context.font = `600 ${TITLE_PX}px ${FONT}`;
  writeBox(context, linesOf(title, width - 2 * MARGIN, measure), TITLE_PX, false);
  context.font = `${CREDIT_PX}px ${FONT}`;
  writeBox(context, linesOf(credit, width - 2 * MARGIN, measure), CREDIT_PX, true);
}
