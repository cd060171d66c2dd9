import { parseEmailAddress, type SmtpServer } from "@swath/accounts";
import { isLoopbackHost } from "@swath/web/origins";

/** Settings by which people get accounts. */
export interface AccountSettings {
  /** `Name <address>` or an address. */
  readonly mailFrom: string;
  /** Absent: mails are files in the data directory. */
  readonly smtp?: SmtpServer;
}

/** Variables as they were set; each has its form already. */
export interface AccountVariables {
  readonly SWATH_ACCOUNTS?: "on" | "off" | undefined;
  readonly SWATH_SMTP_URL?: SmtpServer | undefined;
  readonly SWATH_MAIL_FROM?: string | undefined;
  readonly SWATH_SITE_ORIGINS: readonly string[];
  readonly SWATH_PUBLIC_URL?: string | undefined;
  readonly SWATH_PROFILE: "full" | "lean";
  readonly HOST: string;
}

/**
 * The settings of accounts; undefined where there are none: in lean v1, where they are off, and by default where neither
 * a mail server is named nor the service is for this machine alone, so that nobody's server gives away units unasked.
 *
 * @throws {RangeError} naming the variable that is missing.
 */
export function accountSettings(variables: AccountVariables): AccountSettings | undefined {
  const { SWATH_SMTP_URL: smtp, SWATH_MAIL_FROM: from, SWATH_PUBLIC_URL: publicUrl, HOST } = variables;
  const isLocal = isLoopbackHost(HOST);
  const isOn = (variables.SWATH_ACCOUNTS ?? (smtp !== undefined || isLocal ? "on" : "off")) === "on";
  if (!isOn || variables.SWATH_PROFILE === "lean") return undefined;
  if (smtp !== undefined && from === undefined) {
    throw new RangeError("SWATH_SMTP_URL needs SWATH_MAIL_FROM, the address that mails come from");
  }
  if (!isLocal && publicUrl === undefined && variables.SWATH_SITE_ORIGINS.length === 0) {
    throw new RangeError("Accounts need SWATH_PUBLIC_URL: mailed links lead there (or set SWATH_ACCOUNTS=off)");
  }
  return {
    mailFrom: from ?? "Swath <swath@localhost.localdomain>",
    ...(smtp === undefined ? {} : { smtp }),
  };
}

/** Whether the text is an address, or a name in ASCII before an address in angle brackets. */
export function isMailFrom(text: string): boolean {
  const [, name = "", address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? [];
  return /^[ A-Za-z0-9._-]*$/.test(name) && parseEmailAddress(address) !== undefined;
}

/** An origin as browsers send it: `https://maps.example`; undefined for other text. */
export function parseOrigin(text: string): string | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { origin, pathname, search, hash, username } = new URL(text);
  return pathname === "/" && search === "" && hash === "" && username === "" ? origin : undefined;
}
