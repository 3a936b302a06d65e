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

/** What the server refuses, with the SMTP status of its answer. */
export interface Refusal {
  readonly of: 'connection' | 'password' | 'sender' | 'recipient' | 'message';
  readonly status: number;
}

/** A mail server on loopback that stores all emails. */
export class MailServer {
  readonly arrived: ReceivedEmail[] = [];
  /** Undefined: emails are accepted. */
  refusal: Refusal | undefined;
  /** Called with a stored email before it is acknowledged. */
  onEmail: (() => Promise<void>) | undefined;
  private readonly waiting = new Set<() => void>();
  private readonly server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => done(this.refused('connection')),
    onAuth: ({ username }, _session, done) => done(this.refused('password'), { user: username }),
    onMailFrom: (_sender, _session, done) => done(this.refused('sender')),
    onRcptTo: (_recipient, _session, done) => done(this.refused('recipient')),
    onData: (stream, session, done) => void this.serve(stream, session, done),
  });

  static async open(): Promise<MailServer> {
    const mailServer = new MailServer();
    mailServer.server.on('error', () => undefined); // the sender was killed
    await new Promise<void>((resolve) => mailServer.server.listen(0, '127.0.0.1', resolve));
    return mailServer;
  }

  get url(): string {
    return `smtp://cloud:password@127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
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
    const refused = this.refused('message');
    if (refused) return refused;
    const raw = content.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    this.arrived.push({ to: envelope.rcptTo.map(({ address }) => address), raw });
    for (const wake of this.waiting) wake();
    await this.onEmail?.();
    return null;
  }

  private refused(what: Refusal['of']): Error | null {
    if (this.refusal?.of !== what) return null;
    return Object.assign(new Error('not now'), { responseCode: this.refusal.status });
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
