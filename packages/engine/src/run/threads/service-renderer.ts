import type { CredentialName } from "../files/access/credentials.ts";
import type { CredentialState, ProcessAccess } from "../files/access/shared-access.ts";
import type { SourceSettings } from "../files/sources.ts";
import type { Traffic } from "../files/traffic.ts";
import type { Renderer } from "../job.ts";

/** A renderer that says what it reads, and shares its tokens, paces and keys with other readers of its process. */
export interface ServiceRenderer extends Renderer {
  /** Called with what was read. */
  onTraffic: (traffic: Traffic) => void;
  /** Called when an archive refuses a key or token of the service, and when it takes it again. */
  onCredential: (name: CredentialName, state: CredentialState) => void;
  readonly access: ProcessAccess;
  /** From where this process reads files, and how. */
  readonly sources: SourceSettings;
}
