import type { Mail } from "./mailer.ts";

/** The parts from which nodemailer makes a message. */
export interface MessageParts {
  readonly from: string;
  readonly to: { readonly name: string; readonly address: string };
  readonly envelope: { readonly from: string; readonly to: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Record<string, string>;
}

/** `Name <address>` or an address alone. */
function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
}

/** Characters that would begin another header, or end this one. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * The parts of a message, with the receiver as an object, so that no text of an address is parsed again.
 *
 * @throws {RangeError} for control characters in what becomes a header.
 */
export function composeMessage({ to, subject, text, html }: Mail, from: string): MessageParts {
  if ([to, subject, from].some((value) => CONTROL.test(value)) || /[\s,;<>"()]/.test(to)) {
    throw new RangeError("A header of a mail holds characters that it may not.");
  }
  return {
    from,
    to: { name: "", address: to },
    envelope: { from: addressOf(from), to },
    subject,
    text,
    html,
    // no answers by machines, and none to machines (RFC 3834)
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
