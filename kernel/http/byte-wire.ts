import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ByteSource, type ByteAnswer } from './bytes.js';

/** An operation with bytes: four bytes that tell the length of its JSON, big endian, the JSON, the bytes as they are. */
export const OPERATION_WITH_BYTES = 'application/x-archipelago-bytes';

export const BYTES = 'application/octet-stream';

/** What goes with the bytes of an answer: base64url of its JSON. */
export const ANSWER_HEADER = 'x-byte-answer';

/** Bytes that the JSON before the bytes may have; the gateway's own limits are far below. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;

/** What precedes the bytes, and which variable they are. */
export interface Preamble {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The variable that they are. */
  readonly bytes: string;
  /** Absent where it is not known. */
  readonly length?: number | undefined;
}

/** The variable that holds bytes, if one does. */
export function bytesOf(variables: Readonly<Record<string, unknown>>): [string, ByteSource] | undefined {
  return Object.entries(variables).find((entry): entry is [string, ByteSource] => entry[1] instanceof ByteSource);
}

/** The preamble as it travels. */
export function writePreamble(preamble: Preamble): Buffer {
  const json = Buffer.from(JSON.stringify(preamble));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

/** Reads the preamble and leaves the bytes behind it unread. @returns undefined when it is none */
export async function readPreamble(stream: Readable): Promise<Preamble | undefined> {
  const length = (await readExactly(stream, 4))?.readUInt32BE() ?? Infinity;
  if (length > MAX_JSON_BYTES) return undefined;
  const json = await readExactly(stream, length);
  try {
    const preamble = JSON.parse(json?.toString() ?? '') as Preamble;
    return typeof preamble.query === 'string' && typeof preamble.bytes === 'string' ? preamble : undefined;
  } catch {
    return undefined;
  }
}

async function readExactly(stream: Readable, length: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let missing = length;
  while (missing > 0) {
    const piece = stream.read(Math.min(missing, stream.readableLength || missing)) as Buffer | null;
    if (piece) {
      pieces.push(piece);
      missing -= piece.length;
    } else if (stream.readableEnded || stream.destroyed) return undefined;
    else await Promise.race([once(stream, 'readable'), once(stream, 'end'), once(stream, 'close')]);
  }
  return Buffer.concat(pieces);
}

/** What goes with the bytes of an answer, as a header. */
export function writeAnswerHeader({ meta, part }: ByteAnswer): string {
  return Buffer.from(JSON.stringify({ meta, part })).toString('base64url');
}

/** The answer that has come. @returns undefined when it is none */
export function readAnswer(response: IncomingMessage): ByteAnswer | undefined {
  const header = response.headers[ANSWER_HEADER];
  const length = Number(response.headers['content-length']);
  if (typeof header !== 'string' || !Number.isSafeInteger(length)) return undefined;
  const { meta, part } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Pick<ByteAnswer, 'meta' | 'part'>;
  return { meta, part, length, stream: response };
}
