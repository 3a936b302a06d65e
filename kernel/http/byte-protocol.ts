import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ByteSource, type ByteAnswer } from './bytes.js';

/** Format of an operation with bytes: the length of the JSON (4 bytes, big endian), the JSON, the raw bytes. */
export const OPERATION_WITH_BYTES = 'application/x-archipelago-bytes';

export const BYTES = 'application/octet-stream';

/** The metadata of a byte response: JSON in base64url. */
export const ANSWER_HEADER = 'x-byte-answer';

/** Maximum length of the JSON in bytes; the gateway's own limits are far below. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;

/** The JSON before the bytes. */
export interface Preamble {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The name of the variable that contains the bytes. */
  readonly bytes: string;
  /** Number of bytes; absent if unknown. */
  readonly length?: number | undefined;
  /** As in `ByteSource`. */
  readonly maxBytes?: number | undefined;
}

/** Returns the variable that contains bytes, with its name; undefined if there is none. */
export function bytesOf(variables: Readonly<Record<string, unknown>>): [string, ByteSource] | undefined {
  return Object.entries(variables).find((entry): entry is [string, ByteSource] => entry[1] instanceof ByteSource);
}

/** Serializes the preamble. */
export function writePreamble(preamble: Preamble): Buffer {
  const json = Buffer.from(JSON.stringify(preamble));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

/** Reads the preamble and leaves the bytes after it unread. @returns undefined if it is invalid */
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

/** Serializes the metadata of a byte response. */
export function writeAnswerHeader({ meta, part }: ByteAnswer): string {
  return Buffer.from(JSON.stringify({ meta, part })).toString('base64url');
}

/** Parses a byte response. @returns undefined if it is none */
export function readAnswer(response: IncomingMessage): ByteAnswer | undefined {
  const header = response.headers[ANSWER_HEADER];
  const length = Number(response.headers['content-length']);
  if (typeof header !== 'string' || !Number.isSafeInteger(length)) return undefined;
  const { meta, part } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Pick<ByteAnswer, 'meta' | 'part'>;
  return { meta, part, length, stream: response };
}
