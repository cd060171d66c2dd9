import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import tls from "node:tls";

/** Paths of a certificate for this machine and its key. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/**
 * A certificate that this process trusts, and the programs that it starts: archives answer by TLS. Made by `openssl`, once in a folder.
 */
export async function trustedCertificate(directory: string): Promise<Certificate> {
  const folder = join(directory, "tls");
  await mkdir(folder, { recursive: true });
  const made: Certificate = { certificate: join(folder, "certificate.pem"), key: join(folder, "key.pem") };
  if (!existsSync(made.certificate)) {
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "3650"];
    const name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
    execFileSync("openssl", ["req", "-x509", ...kind, ...name, "-keyout", made.key, "-out", made.certificate], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  }
  tls.setDefaultCACertificates([...tls.getCACertificates(), readFileSync(made.certificate, "utf8")]);
  process.env.NODE_EXTRA_CA_CERTS = made.certificate;
  process.env.CURL_CA_BUNDLE = made.certificate;
  // where it is set, GDAL takes it in place of the other
  process.env.SSL_CERT_FILE = made.certificate;
  return made;
}
