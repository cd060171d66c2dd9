/** An option of a method that does not fit. */
export class CurveError extends Error {
  override readonly name = "CurveError";
  readonly code = "invalid-option";
  /** Name of the option: `method`, `lambda`, `window`, `order` or `threshold`; absent: the fault is of the text as a whole. */
  readonly option: string | undefined;

  constructor(message: string, option?: string) {
    super(message);
    this.option = option;
  }
}
