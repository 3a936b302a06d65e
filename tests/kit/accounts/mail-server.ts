import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A received email. */
export interface ReceivedEmail {
  readonly to: readonly string[];
  /** Header and body without soft line breaks. */
  readonly raw: string;
}

/** A mail server on loopback that stores all emails. */
export class MailServer {
  readonly arrived: ReceivedEmail[] = [];
  /** The SMTP status for the next emails; undefined: they are accepted. */
  refusal: number | undefined;
  /** Called with a stored email before it is acknowledged. */
  onEmail: (() => Promise<void>) | undefined;
  private readonly waiting = new Set<() => void>();
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => void this.serve(stream, session, done),
  });

  static async open(): Promise<MailServer> {
    const mailServer = new MailServer();
    mailServer.server.on('error', () => undefined); // the sender was killed
    await new Promise<void>((resolve) => mailServer.server.listen(0, '127.0.0.1', resolve));
    return mailServer;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** Waits for email number n (from 1) to this address. */
  async email(to: string, number = 1): Promise<ReceivedEmail> {
    for (;;) {
      const email = this.arrived.filter((one) => one.to.includes(to))[number - 1];
      if (email) return email;
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  private async serve(
    stream: Readable,
    session: SMTPServerSession,
    done: (refusal: Error | null) => void,
  ): Promise<void> {
    done(await this.take(stream, session));
  }

  /** @returns the SMTP error, if any */
  private async take(stream: Readable, { envelope }: SMTPServerSession): Promise<Error | null> {
    const content = await text(stream);
    if (this.refusal !== undefined) return Object.assign(new Error('not now'), { responseCode: this.refusal });
    const raw = content.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    this.arrived.push({ to: envelope.rcptTo.map(({ address }) => address), raw });
    for (const wake of this.waiting) wake();
    await this.onEmail?.();
    return null;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
