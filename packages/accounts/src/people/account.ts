/** Tiers that an account may have. */
export const ACCOUNT_TIERS = ["free", "pro"] as const;
export type AccountTier = (typeof ACCOUNT_TIERS)[number];

/** An account of a person; times are epoch milliseconds. */
export interface Account {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string | undefined;
  readonly tier: AccountTier;
  readonly created: number;
  /** When the person followed a mailed link for the first time. */
  readonly verified: number | undefined;
  readonly suspended: number | undefined;
}

export class AccountError extends Error {
  override readonly name = "AccountError";
  readonly code: "unknown-account" | "known-account";

  constructor(code: AccountError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
