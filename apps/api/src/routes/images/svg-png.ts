/** Draws an SVG document as PNG, without transparency. */
export async function toPng(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  // its code and library are as large as that of all routes together
  const { default: sharp } = await import("sharp");
  const png = sharp(Buffer.from(svg)).removeAlpha().png({ palette: true });
  return Uint8Array.from(await png.toBuffer());
}
