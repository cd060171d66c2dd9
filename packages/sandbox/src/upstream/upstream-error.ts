/** A request that the upstream refuses; becomes `{code, description}` with this status. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  static badRequest(message: string): UpstreamError {
    return new UpstreamError(400, "BadRequest", message);
  }
}
