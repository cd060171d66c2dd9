/** A mail to one address. */
export interface Mail {
  /** As `parseEmailAddress` gives it. */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends mails. */
export interface Mailer {
  /** Resolves when the mail server has taken the mail, or its file is written. */
  send(mail: Mail): Promise<void>;
  /** Removes what it keeps of the mails to an address. Absent: it keeps nothing. */
  forget?(to: string): Promise<void>;
  close(): void;
}

/** A mail that was not sent. It names neither its receiver nor what the mail server said, which may repeat the address. */
export class MailError extends Error {
  override readonly name = "MailError";
  /** `rejected`: the server refused the mail or its receiver. `unavailable`: it could not be reached or logged in to. */
  readonly code: "rejected" | "unavailable";
  /** Reply code of SMTP (RFC 5321 section 4.2). */
  readonly reply: number | undefined;

  constructor(code: MailError["code"], reply?: number) {
    super(code === "rejected" ? "The mail server refused a mail." : "The mail server did not answer.");
    this.code = code;
    this.reply = reply;
  }
}
