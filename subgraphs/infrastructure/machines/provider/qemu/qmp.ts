import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Milliseconds that QEMU may take to answer. */
const TIMEOUT_MS = 10_000;
const SILENCE = 'QEMU does not answer';

/** Bytes that a path of a socket may have on Linux. */
const MAX_PATH_LENGTH = 107;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** It takes too long to answer, or speaks with somebody else. */
export class QmpSilence extends Error {}

/** A conversation with a QEMU over its socket. Source: QEMU Machine Protocol Specification */
export class Qmp {
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly hear: ((event: string) => void) | undefined,
  ) {}

  /**
   * Greets the QEMU whose socket this is; waits while somebody else speaks with it, as it listens to one at a time.
   * @param hear is told of events, e.g. `SHUTDOWN`, and of `CLOSED` at the end; who only listens holds up no process that ends
   * @throws when nobody listens there, or does not answer
   */
  static async open(directory: string, name: string, hear?: (event: string) => void): Promise<Qmp> {
    const socket = await connectTo(directory, name);
    if (hear) socket.unref();
    const qmp = new Qmp(socket, hear);
    const greeted = new Promise<void>((resolve) => {
      const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
      // What breaks the socket closes it, and that is told.
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

  /** @returns what QEMU returns @throws with the sentence of its refusal, and when it does not answer */
  async execute(command: string, words?: Readonly<Record<string, unknown>>): Promise<unknown> {
    const id = ++this.asked;
    const answer = new Promise<unknown>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    const timer = setTimeout(() => this.waiting.get(id)?.reject(new QmpSilence(SILENCE)), TIMEOUT_MS).unref();
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

/** A path that is too long for a socket is reached through the directory, held open meanwhile. */
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

/** Rejects when the socket closes or the time is up. */
function refusedAfter(socket: Socket, ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(() => reject(new QmpSilence(SILENCE)), ms).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new Error('QEMU closed its socket'));
    });
  });
}
