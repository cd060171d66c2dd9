/** What is installed where a checkout has no more than a part: written when that is complete. */
export interface Mark {
  readonly part?: "service" | "documents";
  /** The lockfile that it was installed from. */
  readonly lockfile?: string;
}
export const INSTALL_ARGUMENTS: Readonly<Record<"service" | "documents" | "all", readonly string[]>>;
export function missingPart(checkout: {
  readonly task: string;
  readonly lockfile: string;
  /** The lockfile of what is installed, as pnpm keeps it. */
  readonly installed: string | undefined;
  readonly mark: Mark | undefined;
}): "service" | "all" | undefined;
