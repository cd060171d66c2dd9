import type { CogLayout, ImageLayout } from "./cog-layout.ts";
import { COG_RULES, type CogFinding, type CogRuleId } from "./cog-rules.ts";

type Report = (rule: CogRuleId, detail: string) => void;

/** Widest an untiled image may be, pixels (GDAL's validator). */
const WIDEST_STRIP = 1024;
/** Images of more than this in either direction want overviews, pixels (GDAL's validator). */
const WITHOUT_OVERVIEWS = 512;
/** Largest tile that fits on common screens, pixels (OGC 21-026). */
const LARGEST_TILE = 1024;

/**
 * Compares the layout of a file with the rules of Cloud-Optimized GeoTIFFs. Pure.
 *
 * @returns the findings, in the order of {@link COG_RULES}; none for a good file.
 */
export function checkLayout(layout: CogLayout): readonly CogFinding[] {
  const findings: CogFinding[] = [];
  const report: Report = (rule, detail) => findings.push({ rule, ...COG_RULES[rule], detail });
  checkTiles(layout, report);
  checkOverviews(layout, report);
  checkDirectories(layout, report);
  checkData(layout, report);
  checkEnd(layout, report);
  checkClaims(layout, report);
  checkMeaning(layout, report);
  const order = Object.keys(COG_RULES);
  return findings.sort((a, b) => order.indexOf(a.rule) - order.indexOf(b.rule));
}

const nameOf = (level: number): string => (level === 0 ? "the full image" : `overview ${level}`);
const sizeOf = ({ width, height }: ImageLayout): string => `${width} x ${height}`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function checkTiles({ levels }: CogLayout, report: Report): void {
  for (const [level, { image }] of levels.entries()) {
    const { width, height, tiled, blockWidth, blockHeight } = image;
    const isLarge = level > 0 || width > WITHOUT_OVERVIEWS || height > WITHOUT_OVERVIEWS;
    const name = capital(nameOf(level));
    if (isLarge && blockWidth === width && blockWidth > WIDEST_STRIP) {
      report("tiles", `${name} of ${sizeOf(image)} pixels is stored in blocks of its whole width.`);
    } else if (!tiled) {
      report("no-strips", `${name} is stored in strips of ${blockHeight} rows.`);
    } else if (blockWidth !== blockHeight || blockWidth > LARGEST_TILE) {
      report(
        "tile-size",
        `Tiles of ${nameOf(level)} are ${blockWidth} x ${blockHeight}: expected squares of at most ${LARGEST_TILE}.`,
      );
    }
    if (!image.compressed) report("compression", `${name} is not compressed.`);
  }
}

function checkOverviews({ levels }: CogLayout, report: Report): void {
  const [full] = levels as [CogLayout["levels"][number]];
  if (levels.length === 1) {
    const { width, height } = full.image;
    if (width > WITHOUT_OVERVIEWS || height > WITHOUT_OVERVIEWS) {
      report("overviews", `An image of ${sizeOf(full.image)} pixels has no overviews.`);
    }
    return;
  }
  for (const [level, { image, mask }] of levels.entries()) {
    const before = levels[level - 1]?.image;
    if (before === undefined) continue;
    if (image.width > before.width || image.height > before.height) {
      report(
        "overview-order",
        `${capital(nameOf(level))} of ${sizeOf(image)} pixels follows one of ${sizeOf(before)}.`,
      );
    } else {
      const factor = Math.max(before.width / image.width, before.height / image.height);
      // sides are rounded, so a factor of 2 may be a little less
      if (Math.ceil(before.width / 2) < image.width || factor > 10) {
        report("overview-factor", `${capital(nameOf(level))} reduces ${sizeOf(before)} to ${sizeOf(image)} pixels.`);
      }
    }
    if (full.mask !== undefined && mask === undefined) {
      report("mask-overviews", `${capital(nameOf(level))} has no mask, the full image has one.`);
    }
  }
  const last = (levels.at(-1) as CogLayout["levels"][number]).image;
  if (last.width > last.blockWidth && last.height > last.blockHeight) {
    report("smallest-overview", `The smallest overview, of ${sizeOf(last)} pixels, is larger than one tile.`);
  }
}

function checkDirectories({ headBytes, ghost, levels }: CogLayout, report: Report): void {
  const first = levels[0]?.image.directory ?? 0;
  const expected = ghost?.end ?? headBytes;
  // GDAL's validator takes a directory right behind either head, that of TIFF or that of BigTIFF
  if (first !== expected && first !== 8 && first !== 16) {
    report("first-directory", `The directory of the full image is at byte ${first}: expected ${expected}.`);
  }
  for (const [level, { image }] of levels.entries()) {
    const before = levels[level - 1]?.image.directory ?? 0;
    if (image.directory >= before) continue;
    const where = `at byte ${image.directory}, before that of ${nameOf(level - 1)} at ${before}`;
    report("directory-order", `The directory of ${nameOf(level)} is ${where}.`);
  }
}

const firstBlock = ({ offsets }: ImageLayout): number => offsets.find((offset) => offset !== 0) ?? 0;

function checkData({ levels }: CogLayout, report: Report): void {
  const last = (levels.at(-1) as CogLayout["levels"][number]).image;
  const start = firstBlock(last);
  if (start !== 0 && start < last.directory) {
    const name = nameOf(levels.length - 1);
    report("data-after-directories", `The blocks of ${name} begin at byte ${start}, before its directory.`);
  }
  for (let level = levels.length - 2; level >= 0; level--) {
    const own = firstBlock(levels[level]?.image as ImageLayout);
    const smaller = firstBlock(levels[level + 1]?.image as ImageLayout);
    if (own === 0 || own >= smaller) continue;
    const where = `begin at byte ${own}, before those of ${nameOf(level + 1)} at ${smaller}`;
    report("data-order", `The blocks of ${nameOf(level)} ${where}.`);
  }
}

function checkEnd({ bytes, levels }: CogLayout, report: Report): void {
  for (const { name, image } of levels.flatMap(imagesOf)) {
    const { outside } = image;
    const [first] = outside;
    if (first === undefined) continue;
    const { block, offset, size } = first;
    const more = outside.length === 1 ? "" : ` It is the first of ${outside.length} of this page.`;
    const place = `ends at byte ${offset + size}, the file at byte ${bytes}`;
    report("blocks-in-file", `Block ${block} of ${name} (directory at byte ${image.directory}) ${place}.${more}`);
  }
}

/** The images of a level with their names. */
function imagesOf({ image, mask }: CogLayout["levels"][number], level: number) {
  const own = { name: nameOf(level), image };
  return mask === undefined ? [own] : [own, { name: `the mask of ${nameOf(level)}`, image: mask }];
}

/** Checks the claims about blocks in the text behind the head, where there are any. */
function checkClaims({ ghost, levels }: CogLayout, report: Report): void {
  if (ghost === undefined) return;
  const says = (line: string): boolean => ghost.lines.includes(line);
  if (says("KNOWN_INCOMPATIBLE_EDITION=YES")) {
    report("edited", "The file says that it was changed after it was made: KNOWN_INCOMPATIBLE_EDITION=YES.");
  }
  const isFramed = says("BLOCK_LEADER=SIZE_AS_UINT4");
  const isRepeated = says("BLOCK_TRAILER=LAST_4_BYTES_REPEATED");
  for (const [level, images] of levels.entries()) {
    const { image, mask } = images;
    for (const { name, image: each } of imagesOf(images, level)) {
      const late = says("BLOCK_ORDER=ROW_MAJOR") ? outOfOrder(each) : undefined;
      if (late !== undefined) report("block-order", `Block ${late} of ${name} lies before the block before it.`);
      const wrongSize = each.frames.find(({ block, leader }) => leader !== each.sizes[block]);
      if (isFramed && wrongSize !== undefined) {
        const { block, leader } = wrongSize;
        report("block-leader", `Block ${block} of ${name} has ${each.sizes[block]} bytes; before it stands ${leader}.`);
      }
      const wrongEnd = isRepeated ? each.frames.find(({ repeats }) => !repeats) : undefined;
      if (wrongEnd !== undefined) {
        report("block-trailer", `The last bytes of block ${wrongEnd.block} of ${name} are not repeated after it.`);
      }
    }
    if (says("MASK_INTERLEAVED_WITH_IMAGERY=YES") && mask !== undefined) {
      const between = (isFramed ? 4 : 0) + (isRepeated ? 4 : 0);
      const fault = maskFault(image, mask, between);
      if (fault !== undefined) report("mask-interleaved", `${capital(nameOf(level))}: ${fault}`);
    }
  }
}

function outOfOrder({ offsets }: ImageLayout): number | undefined {
  let last = 0;
  for (const [block, offset] of offsets.entries()) {
    if (offset === 0) continue;
    if (offset < last) return block;
    last = offset;
  }
  return undefined;
}

function maskFault(image: ImageLayout, mask: ImageLayout, between: number): string | undefined {
  if (image.blockWidth !== mask.blockWidth || image.blockHeight !== mask.blockHeight) {
    return "the blocks of its mask have another size than its own.";
  }
  for (const [block, offset] of image.offsets.entries()) {
    const own = mask.offsets[block] ?? 0;
    const expected = offset + (image.sizes[block] ?? 0) + between;
    if (offset !== 0 && own !== 0 && own !== expected) {
      return `block ${block} of its mask is at byte ${own}, expected ${expected}, right after the image's.`;
    }
  }
  return undefined;
}

function checkMeaning({ georeferenceProblem, marksGaps }: CogLayout, report: Report): void {
  if (georeferenceProblem !== undefined) report("georeference", georeferenceProblem);
  if (!marksGaps) report("nodata", "Nothing says which pixels hold no data: no nodata value, mask or alpha band.");
}
