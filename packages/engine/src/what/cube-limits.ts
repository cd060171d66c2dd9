import { ProblemError } from "@swath/problem";
import type { Grid } from "@swath/raster";

/** Width × height × bands × time steps of one request, as of statistics. */
const MAX_VALUES_TIMES_DATES = 200_000_000;
/** Width × height × bands of a raster, as of an extraction. */
const MAX_OUTPUT_VALUES = 150_000_000;
/** Bands of a raster. */
const MAX_OUTPUT_BANDS = 1000;
/** Time steps of areas of one request: opening their files costs the same for one pixel as for many. */
const MAX_READS = 20_000;
/** Pixels of all regions of a job: one byte each. */
const MAX_REGION_PIXELS = 100_000_000;
/** Values of all registers of one row of the grid. */
const MAX_ROW_VALUES = 1 << 24;

const number = (value: number): string => value.toLocaleString("en-US");

/** What is read for all grids of a request so far. */
export class ReadCounts {
  #values = 0;
  #steps = 0;
  #rowValues = 0;

  /** A time step of an area, of pixels × bands. */
  addStep(values: number): void {
    this.#values += values;
    this.#steps += 1;
  }

  /** Values that are held at once for one row of a grid. */
  addRow(values: number): void {
    this.#rowValues = Math.max(this.#rowValues, values);
  }

  /** @throws {ProblemError} `output-too-large` with the numbers. */
  check(): void {
    const [values, steps] = [this.#values, this.#steps];
    if (values > MAX_VALUES_TIMES_DATES || this.#rowValues > MAX_ROW_VALUES) {
      const detail = `The graph would read ${number(values)} values or more (pixels × bands × time steps, at most ${number(MAX_VALUES_TIMES_DATES)}), or hold too many of them at once: ask for less area or time.`;
      throw new ProblemError("output-too-large", detail, {
        limits: { maxValuesTimesDates: MAX_VALUES_TIMES_DATES, requestedValuesTimesDates: values },
      });
    }
    if (steps <= MAX_READS) return;
    const detail = `The graph would read ${number(steps)} time steps of areas or more (at most ${number(MAX_READS)}): ask for fewer geometries, or less time.`;
    throw new ProblemError("output-too-large", detail, { limits: { maxReads: MAX_READS, requestedReads: steps } });
  }
}

/** @throws {ProblemError} `output-too-large`. */
export function checkRegions(count: number, { width, height }: Grid): void {
  const requestedRegionPixels = count * width * height;
  if (requestedRegionPixels <= MAX_REGION_PIXELS) return;
  const detail = `The graph has ${count} polygons and boxes on ${width} × ${height} pixels: ask for fewer, or for less area.`;
  throw new ProblemError("output-too-large", detail, {
    limits: { maxRegionPixels: MAX_REGION_PIXELS, requestedRegionPixels },
  });
}

/** @throws {ProblemError} `output-too-large` for a raster of too many values or bands. */
export function checkOutput({ width, height }: Grid, bands: number): void {
  const values = width * height * bands;
  if (values <= MAX_OUTPUT_VALUES && bands <= MAX_OUTPUT_BANDS) return;
  const detail = `The output would have ${number(width)} × ${number(height)} pixels of ${number(bands)} bands (at most ${number(MAX_OUTPUT_VALUES)} values and ${number(MAX_OUTPUT_BANDS)} bands).`;
  throw new ProblemError("output-too-large", detail, {
    limits: {
      maxOutputValues: MAX_OUTPUT_VALUES,
      requestedOutputValues: values,
      maxOutputBands: MAX_OUTPUT_BANDS,
      requestedOutputBands: bands,
    },
  });
}
