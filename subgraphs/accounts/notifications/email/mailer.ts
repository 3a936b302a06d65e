import type { MailConfig } from '../../../../kernel/config/accounts-config.js';

/** A message to one address. */
export interface EmailMessage {
  readonly to: string;
  /** Unique; the same letter sent again has it again. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The way to the mail server. */
export interface Mailer {
  /** Settles when the server has taken it. @throws what the server or the network said */
  send(letter: EmailMessage): Promise<void>;
}

/** Limits of each step, in milliseconds; together below the lease of a delivery. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000, dnsTimeout: 10_000 };

/** Opens a mailer that holds no connection between letters; its library is loaded here, as most starts have no mail server. @param publicUrl whose host makes message ids global */
export async function openMailer({ url, from }: MailConfig, publicUrl: string): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true });
  const { hostname } = new URL(publicUrl);
  return {
    async send({ to, id, subject, text, html }) {
      const messageId = `<${id}@${hostname}>`;
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        messageId,
        subject: oneLine(subject),
        text,
        html,
      });
    },
  };
}

/** A header is one line: what breaks lines or cannot be seen becomes a space. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
