import { CurveError } from "./errors.ts";

/** Methods that smooth a curve, or fill its gaps. */
export const SMOOTH_METHODS = ["whittaker", "savitzky-golay", "linear"] as const;
export type SmoothMethod = (typeof SMOOTH_METHODS)[number];

/** Least and largest settings. */
export const CURVE_LIMITS = {
  lambda: [0.001, 1_000_000],
  window: [3, 365],
  order: [0, 5],
} as const satisfies Record<string, readonly [least: number, largest: number]>;

/** A method and its settings, as they were asked for. */
export interface SmoothOptions {
  readonly method: SmoothMethod;
  /** Weight of smoothness in Whittaker's method: 0.001 to 1,000,000, default 10; the larger, the smoother. */
  readonly lambda?: number | undefined;
  /** Observations that Savitzky's and Golay's method fits at once: odd, 3 to 365; default 7. */
  readonly window?: number | undefined;
  /** Degree of the polynomial that is fitted: 0 to 5 and less than `window`; default 2. */
  readonly order?: number | undefined;
}

/** A method with all its settings. */
export type SmoothSettings =
  | { readonly method: "whittaker"; readonly lambda: number }
  | { readonly method: "savitzky-golay"; readonly window: number; readonly order: number }
  | { readonly method: "linear" };

const OPTIONS = {
  whittaker: ["lambda"],
  "savitzky-golay": ["window", "order"],
  linear: [],
} as const satisfies Record<SmoothMethod, readonly (keyof SmoothOptions)[]>;

/** Fills in defaults. @throws {CurveError} that names the option which does not fit. */
export function smoothSettings(asked: SmoothOptions): SmoothSettings {
  const { method, lambda = 10, window = 7, order = 2 } = asked;
  if (!SMOOTH_METHODS.includes(method)) {
    throw new CurveError(`Expected ${SMOOTH_METHODS.join(", ")}, got "${method}".`, "method");
  }
  const known: readonly string[] = OPTIONS[method];
  for (const option of ["lambda", "window", "order"] as const) {
    if (asked[option] !== undefined && !known.includes(option)) {
      throw new CurveError(`Method ${method} has no ${option}.`, option);
    }
  }
  if (method === "linear") return { method };
  if (method === "whittaker") {
    check("lambda", lambda);
    return { method, lambda };
  }
  check("window", window);
  check("order", order);
  if (window % 2 !== 1) throw new CurveError(`Expected an odd number of observations, got ${window}.`, "window");
  if (!Number.isInteger(order) || order >= window) {
    throw new CurveError(`Expected a whole number less than the window of ${window}, got ${order}.`, "order");
  }
  return { method, window, order };
}

function check(option: keyof typeof CURVE_LIMITS, value: number): void {
  const [least, largest] = CURVE_LIMITS[option];
  if (value >= least && value <= largest) return;
  throw new CurveError(`Expected ${least} to ${largest}, got ${value}.`, option);
}

/** @throws {CurveError} for what is not above 0 and below 1. */
export function checkThreshold(threshold: number): void {
  if (threshold > 0 && threshold < 1) return;
  throw new CurveError(`Expected a share of the amplitude above 0 and below 1, got ${threshold}.`, "threshold");
}

/**
 * Reads a method and its settings from text: `whittaker`, `whittaker:LAMBDA`, `savitzky-golay:WINDOW:ORDER`, `linear`.
 *
 * @throws {CurveError}
 * @example parseSmooth("savitzky-golay:9:3") // { method: "savitzky-golay", window: 9, order: 3 }
 */
export function parseSmooth(text: string): SmoothSettings {
  const [method = "", ...settings] = text.split(":");
  const name = SMOOTH_METHODS.find((each) => each === method);
  const names: readonly string[] = name === undefined ? [] : OPTIONS[name];
  const numbers = settings.map((each) => (/^\d+(\.\d+)?(e\d+)?$/i.test(each) ? Number(each) : Number.NaN));
  if (name === undefined || numbers.length > names.length || numbers.some(Number.isNaN)) {
    const forms = "whittaker, whittaker:LAMBDA, savitzky-golay, savitzky-golay:WINDOW:ORDER or linear";
    throw new CurveError(`Expected ${forms}, got "${text}".`);
  }
  return smoothSettings({ method: name, ...Object.fromEntries(numbers.map((value, i) => [names[i], value])) });
}
