// Times of decoding one JPEG block of 512 x 512 pixels here, by jpeg-js and by sharp, and how far their samples are from
// libjpeg-turbo's: node --conditions=@swath/source bench/jpeg.ts
import jpegJs from "jpeg-js";
import sharp from "sharp";
import { decodeJpeg } from "../src/codecs/jpeg/jpeg.ts";

const SIDE = 512;
const RUNS = 61;
sharp.concurrency(1);
sharp.cache(false);

/** Slopes, waves and noise of a fixed seed: like land from above, neither smooth nor noise alone. */
function land(): Uint8Array {
  let state = 7;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const bytes = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    const base = 100 + 40 * Math.sin(x / 31) + 30 * Math.cos(y / 17) + 20 * Math.sin((x + y) / 5);
    for (let band = 0; band < 3; band++) bytes[3 * i + band] = base + band * 12 + (random() - 0.5) * 24;
  }
  return bytes;
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? 0;

async function time(decode: () => Uint8Array | Promise<Uint8Array>): Promise<{ ms: number; cpu: number }> {
  for (let i = 0; i < 20; i++) await decode();
  const [wall, cpu]: [number[], number[]] = [[], []];
  for (let i = 0; i < RUNS; i++) {
    const [start, used] = [performance.now(), process.cpuUsage()];
    await decode();
    wall.push(performance.now() - start);
    const { user, system } = process.cpuUsage(used);
    cpu.push((user + system) / 1000);
  }
  return { ms: median(wall), cpu: median(cpu) };
}

/** RGB of RGBA. */
function withoutAlpha(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4) {
    rgb[to++] = rgba[from]!;
    rgb[to++] = rgba[from + 1]!;
    rgb[to++] = rgba[from + 2]!;
  }
  return rgb;
}

for (const chromaSubsampling of ["4:2:0", "4:4:4"]) {
  const input = sharp(land(), { raw: { width: SIDE, height: SIDE, channels: 3 } });
  const file = await input.jpeg({ quality: 75, chromaSubsampling }).toBuffer();
  const reference = await sharp(file).raw().toBuffer();
  console.log(`${chromaSubsampling}, ${file.length} bytes`);
  const decoders: Record<string, () => Uint8Array | Promise<Uint8Array>> = {
    "@swath/cog": () => decodeJpeg(file, { toColor: true }).data,
    "jpeg-js": () => withoutAlpha(jpegJs.decode(file, { useTArray: true }).data),
    sharp: () => sharp(file).raw().toBuffer(),
  };
  for (const [name, decode] of Object.entries(decoders)) {
    const pixels = await decode();
    let [differing, most] = [0, 0];
    for (let i = 0; i < reference.length; i++) {
      const difference = Math.abs(pixels[i]! - reference[i]!);
      if (difference > 0) differing++;
      most = Math.max(most, difference);
    }
    const { ms, cpu } = await time(decode);
    const share = ((100 * differing) / reference.length).toFixed(1);
    console.log(
      `  ${name.padEnd(11)} ${ms.toFixed(2)} ms, ${cpu.toFixed(2)} ms of CPU; ${share} % of samples differ, by at most ${most}`,
    );
  }
}
