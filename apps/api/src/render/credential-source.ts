import { CogError, type Source, type SourceReadOptions } from "@swath/cog";
import { CredentialError, type CredentialName } from "./credentials.ts";
import type { SharedAccess } from "./shared-access.ts";

/** The credential that a file is read with. */
export interface CredentialUse {
  readonly credential: CredentialName;
  /** Whether the service has it. */
  readonly isThere: boolean;
  /** Learns whether the archive takes it. */
  readonly access: Pick<SharedAccess, "credential">;
}

/** A source whose refusals for want of a credential name the one that the service lacks, or that the archive refuses. */
export function withCredential(source: Source, use: CredentialUse): Source {
  return new CredentialSource(source, use);
}

class CredentialSource implements Source {
  readonly key: string;
  readonly #source: Source;
  readonly #use: CredentialUse;

  constructor(source: Source, use: CredentialUse) {
    this.key = source.key;
    this.#source = source;
    this.#use = use;
  }

  get size(): number | undefined {
    return this.#source.size;
  }
  get version(): string | undefined {
    return this.#source.version;
  }

  async read(offset: number, length: number, options?: SourceReadOptions): Promise<Uint8Array> {
    const { credential, isThere, access } = this.#use;
    try {
      const bytes = await this.#source.read(offset, length, options);
      if (isThere) access.credential(credential, "accepted");
      return bytes;
    } catch (cause) {
      if (!(cause instanceof CogError) || cause.code !== "unauthorized") throw cause;
      if (isThere) access.credential(credential, "refused");
      throw new CredentialError(credential, isThere ? "refused" : "missing", { href: this.key, cause });
    }
  }

  async close(): Promise<void> {
    await this.#source.close?.();
  }
}
