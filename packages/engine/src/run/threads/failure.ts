import { Refusal, type RefusalCode } from "../../refusal.ts";
import { refusalOfRead } from "../errors.ts";

/** A failure as plain data, JSON too: error classes do not cross threads. */
export interface Failure {
  /** Absent: an unexpected error. */
  readonly code?: RefusalCode;
  readonly message: string;
  readonly retryAfter?: number;
  /** For the log: what the library said, where the message is worded for clients. */
  readonly reason?: string;
  readonly stack?: string;
}

/** An error as plain data. */
export function failureOf(error: unknown): Failure {
  const known = refusalOfRead(error);
  if (known instanceof Refusal) {
    return {
      code: known.code,
      message: known.message,
      ...(known.retryAfter === undefined ? {} : { retryAfter: known.retryAfter }),
      ...(known !== error && error instanceof Error ? { reason: error.message } : {}),
    };
  }
  const unknown = error instanceof Error ? error : new Error(String(error));
  return { message: unknown.message, ...(unknown.stack === undefined ? {} : { stack: unknown.stack }) };
}

/** The error that plain data stand for. */
export function errorOf(failure: Failure): Error {
  if (failure.code === undefined) {
    const error = new Error(failure.message);
    if (failure.stack !== undefined) error.stack = failure.stack;
    return error;
  }
  return new Refusal(failure.code, [], failure.message, {
    ...(failure.retryAfter === undefined ? {} : { retryAfter: failure.retryAfter }),
    ...(failure.reason === undefined ? {} : { cause: new Error(failure.reason) }),
  });
}
