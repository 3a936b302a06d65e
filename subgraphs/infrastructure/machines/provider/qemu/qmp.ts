import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Time-out of a QMP request in milliseconds. */
const TIMEOUT_MS = 10_000;
const NO_ANSWER = 'QEMU does not answer';

/** Maximum length of a socket path on Linux, in bytes. */
const MAX_PATH_LENGTH = 107;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** QEMU does not answer in time, or is serving another client. */
export class QmpUnavailable extends Error {}

/** A QMP connection. Source: QEMU Machine Protocol Specification */
export class Qmp {
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly hear: ((event: string) => void) | undefined,
  ) {}

  /**
   * Connects to a QMP socket. Waits while another client is connected, because QEMU serves one at a time. @param hear
   * receives events, e.g. `SHUTDOWN`, and `CLOSED` at the end; such a connection does not keep the process alive
   * @throws when nothing listens or responds there
   */
  static async open(directory: string, name: string, hear?: (event: string) => void): Promise<Qmp> {
    const socket = await connectTo(directory, name);
    if (hear) socket.unref();
    const qmp = new Qmp(socket, hear);
    const greeted = new Promise<void>((resolve) => {
      const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
      // A socket error closes the socket, which is handled below.
      lines
        .on('error', () => undefined)
        .on('line', (line) => {
          if (qmp.read(line) === 'greeting') resolve();
        });
    });
    socket.on('error', () => undefined).once('close', () => qmp.end());
    try {
      await Promise.race([greeted, refusedAfter(socket, TIMEOUT_MS)]);
      await qmp.execute('qmp_capabilities');
    } catch (error) {
      qmp.close();
      throw error;
    }
    return qmp;
  }

  /** @returns the result of the command @throws when QEMU refuses it or does not answer */
  async execute(command: string, words?: Readonly<Record<string, unknown>>): Promise<unknown> {
    const id = ++this.lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    const timer = setTimeout(() => this.waiting.get(id)?.reject(new QmpUnavailable(NO_ANSWER)), TIMEOUT_MS).unref();
    this.socket.write(`${JSON.stringify({ execute: command, id, ...(words && { arguments: words }) })}\n`);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      this.waiting.delete(id);
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private read(line: string): 'greeting' | undefined {
    const message = parse(line);
    if ('QMP' in message) return 'greeting';
    if (typeof message.event === 'string') this.hear?.(message.event);
    const waiting = typeof message.id === 'number' ? this.waiting.get(message.id) : undefined;
    if (!waiting) return undefined;
    if ('return' in message) waiting.resolve(message.return);
    else waiting.reject(new Error(`QEMU refused: ${JSON.stringify(message.error)}`));
    return undefined;
  }

  private end(): void {
    for (const { reject } of this.waiting.values()) reject(new Error('QEMU ended'));
    this.hear?.('CLOSED');
  }
}

function parse(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Connects to a socket; a path that is too long is reached through an open directory handle. */
async function connectTo(directory: string, name: string): Promise<Socket> {
  const path = join(directory, name);
  if (Buffer.byteLength(path) <= MAX_PATH_LENGTH) return connected(path);
  const held = await open(directory, 'r');
  try {
    return await connected(`/proc/self/fd/${held.fd}/${name}`);
  } finally {
    await held.close();
  }
}

async function connected(path: string): Promise<Socket> {
  const socket = connect({ path });
  await once(socket, 'connect');
  return socket;
}

/** Rejects when the socket closes or after the time-out. */
function refusedAfter(socket: Socket, ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(() => reject(new QmpUnavailable(NO_ANSWER)), ms).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new Error('QEMU closed its socket'));
    });
  });
}
