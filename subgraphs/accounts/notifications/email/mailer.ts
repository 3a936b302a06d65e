import type { MailConfig } from '../../config.js';

/** A message to one address. */
export interface EmailMessage {
  readonly to: string;
  /** Message id; the same in every attempt. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The page where its recipient can turn such messages off; undefined for messages that are always sent. */
  readonly settingsUrl?: string | undefined;
}

/** Client of the mail server. */
export interface Mailer {
  /** Resolves when the server has accepted the message. @throws errors of the server or the network */
  send(email: EmailMessage): Promise<void>;
}

/** Timeouts in milliseconds. That of the socket limits silence, so a slow server needs the one of the whole attempt too. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000, dnsTimeout: 10_000 };

/** Time of one attempt in milliseconds; below the lease of a delivery. */
const SEND_TIMEOUT_MS = 45_000;

/** Opens a mailer without persistent connections; loads its library only if a mail server is configured. @param publicUrl whose host makes message ids global */
export async function openMailer(
  { url, from }: MailConfig,
  publicUrl: string,
  sendTimeoutMs = SEND_TIMEOUT_MS,
): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true });
  const { hostname } = new URL(publicUrl);
  return {
    async send({ to, id, subject, text, html, settingsUrl }) {
      const messageId = `<${id}@${hostname}>`;
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        messageId,
        subject: oneLine(subject),
        text,
        html,
        // Source: RFC 2369, 3.2
        ...(settingsUrl !== undefined && { list: { unsubscribe: settingsUrl } }),
        signal: AbortSignal.timeout(sendTimeoutMs),
      });
    },
  };
}

/** Replaces line breaks and control characters, because a header is one line. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
