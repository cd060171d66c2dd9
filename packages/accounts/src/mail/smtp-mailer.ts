import type { TransportConfig, Transporter } from "nodemailer";
import { type Mail, MailError, type Mailer } from "./mailer.ts";
import { composeMessage } from "./message.ts";

/** The server that takes mails. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `implicit`: from the first byte (`smtps:`). `required`: by STARTTLS, or nothing is sent. `off`: never. */
  readonly tls: "implicit" | "required" | "off";
  readonly auth?: { readonly user: string; readonly pass: string };
}

const CONNECTIONS = 3;
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/** Faults of a mail rather than of the server or the way to it. */
const OF_THE_MAIL = new Set(["EENVELOPE", "EMESSAGE"]);

/** Hands mails in to a server, over at most three connections. */
export function smtpMailer({ host, port, tls, auth }: SmtpServer, from: string): Mailer {
  const config = {
    pool: true,
    maxConnections: CONNECTIONS,
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "required",
    ignoreTLS: tls === "off",
    ...(auth === undefined ? {} : { auth }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies TransportConfig;
  let opened: Promise<Transporter> | undefined;
  const open = async (): Promise<Transporter> => (await import("nodemailer")).createTransport(config);
  return {
    async send(mail: Mail) {
      opened ??= open();
      const transport = await opened;
      try {
        await transport.sendMail(composeMessage(mail, from));
      } catch (error) {
        const { code, responseCode } = error as { code?: string; responseCode?: number };
        throw new MailError(OF_THE_MAIL.has(code ?? "") ? "rejected" : "unavailable", responseCode);
      }
    },
    close: () => void opened?.then((transport) => transport.close()),
  };
}
