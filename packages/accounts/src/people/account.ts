/** Tiers that an account may have. */
export const ACCOUNT_TIERS = ["free", "pro"] as const;
/** The tier of an account, which decides its limits. */
export type AccountTier = (typeof ACCOUNT_TIERS)[number];

/** An account; times are epoch milliseconds. */
export interface Account {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string | undefined;
  readonly tier: AccountTier;
  readonly created: number;
  /** Time at which its holder first followed a mailed link. */
  readonly verified: number | undefined;
  readonly suspended: number | undefined;
}

/** A fault of an account that its caller can mend. */
export class AccountError extends Error {
  override readonly name = "AccountError";
  readonly code: "unknown-account" | "known-account";

  constructor(code: AccountError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
