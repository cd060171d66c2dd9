import type { Page } from "playwright-core";

export type Color = readonly [red: number, green: number, blue: number];

/** Mean colour of a part of a picture: shares of its sides from the top left, and pixels. */
export const meanOf = (page: Page, bytes: Buffer, part: { x: number; y: number; size: number }): Promise<Color> =>
  page.evaluate(
    async ({ base64, x, y, size }) => {
      const file = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([file]));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      if (context === null) throw new Error("No canvas.");
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(x * bitmap.width, y * bitmap.height, size, size);
      const mean = (band: number): number =>
        data.filter((_, i) => i % 4 === band).reduce((sum, value) => sum + value, 0) / (size * size);
      return [mean(0), mean(1), mean(2)] as const;
    },
    { base64: bytes.toString("base64"), ...part },
  );
