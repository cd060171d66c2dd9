import { CogError } from "@swath/cog";

/**
 * Name of a key or token of the service for files: `aws`, the keys of the `AWS_` variables; `earthdata`, the token of NASA
 * Earthdata; `s3:NAME`, keys of `SWATH_S3_KEYS`.
 */
export type CredentialName = "aws" | "earthdata" | `s3:${string}`;

/** The reason why files that need a key or token cannot be read: there is none, or the archive refuses it. */
export type CredentialFault = "missing" | "refused";

interface Words {
  readonly what: string;
  readonly variables: readonly string[];
}

function wordsOf(name: CredentialName): Words {
  if (name === "aws") return { what: "AWS keys", variables: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] };
  if (name === "earthdata") return { what: "token of NASA Earthdata", variables: ["EARTHDATA_TOKEN"] };
  return { what: `S3 keys called "${name.slice("s3:".length)}"`, variables: ["SWATH_S3_KEYS"] };
}

/** Returns the environment variables that hold a key or token. */
export function credentialVariables(name: CredentialName): readonly string[] {
  return wordsOf(name).variables;
}

/** Describes the fault of a key or token of the service in words that name its variables and nothing secret. */
export function credentialFault(name: CredentialName, fault: CredentialFault): string {
  const { what, variables } = wordsOf(name);
  const named = variables.join(", ");
  if (fault === "missing") return `the service has no ${what} (${named})`;
  return `the archive refuses the service's ${what} (${named}): wrong or expired`;
}

/** A file that the service cannot read, since its own key or token is missing or refused. */
export class CredentialError extends CogError {
  override readonly name = "CredentialError";
  readonly credential: CredentialName;
  readonly fault: CredentialFault;

  constructor(credential: CredentialName, fault: CredentialFault, options: ErrorOptions & { readonly href: string }) {
    super("unauthorized", `${options.href}: ${credentialFault(credential, fault)}.`, { cause: options.cause });
    this.credential = credential;
    this.fault = fault;
  }
}
