import type { Asked } from "./asked.ts";
import { DOCUMENTS, REFUSED_DOCUMENTS } from "./documents.ts";
import { EXTRACTIONS, REFUSED_EXTRACTIONS } from "./extractions.ts";
import { REFUSED_RESULTS, RESULTS } from "./graphs.ts";
import { IMAGES, REFUSED_IMAGES } from "./images.ts";
import { LEGACY } from "./legacy.ts";
import { NUMBERS, REFUSED_NUMBERS } from "./numbers.ts";

/** Every request, in the order in which they are sent: some answers depend on images that are finished. */
export const ALL: readonly Asked[] = [
  ...IMAGES,
  ...REFUSED_IMAGES,
  ...EXTRACTIONS,
  ...REFUSED_EXTRACTIONS,
  ...NUMBERS,
  ...REFUSED_NUMBERS,
  ...RESULTS,
  ...REFUSED_RESULTS,
  ...LEGACY,
  ...DOCUMENTS,
  ...REFUSED_DOCUMENTS,
];
