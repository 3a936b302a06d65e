import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A letter that came in. */
export interface ReceivedEmail {
  readonly to: readonly string[];
  /** Header and body as they came, soft line breaks undone. */
  readonly raw: string;
}

/** A mail server on the loopback that keeps all letters. */
export class MailServer {
  readonly arrived: ReceivedEmail[] = [];
  /** What the next letters are answered with; undefined: taken. */
  refusal: number | undefined;
  /** Called with a letter that is kept and not yet acknowledged. */
  onEmail: (() => Promise<void>) | undefined;
  private readonly waiting = new Set<() => void>();
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => void this.serve(stream, session, done),
  });

  static async open(): Promise<MailServer> {
    const office = new MailServer();
    office.server.on('error', () => undefined); // a sender that was killed
    await new Promise<void>((resolve) => office.server.listen(0, '127.0.0.1', resolve));
    return office;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** Waits for the letter of this number, from 1, to this address. */
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

  /** @returns the refusal, if it is one */
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
