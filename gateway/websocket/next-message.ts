import type { ExecutionResult } from 'graphql';

/** The first byte of a frame with a whole text message. Source: RFC 6455, 5.2 */
const TEXT = 0x81;

/** The message `next` of a result. It is serialised once, and framed once for all operations with the same id. */
export class NextMessage {
  private readonly ending: Buffer;
  private readonly frames = new Map<string, Buffer>();

  constructor(result: ExecutionResult) {
    this.ending = Buffer.from(`${JSON.stringify(result)}}`);
  }

  /** Returns the frame for the operation with this id. */
  frameFor(id: string): Buffer {
    const known = this.frames.get(id);
    if (known) return known;
    const beginning = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
    const frame = Buffer.concat([headerOf(beginning.length + this.ending.length), beginning, this.ending]);
    this.frames.set(id, frame);
    return frame;
  }
}

/** Returns the header of an unmasked frame. Source: RFC 6455, 5.2 */
function headerOf(length: number): Buffer {
  if (length < 126) return Buffer.from([TEXT, length]);
  const isShort = length < 65_536;
  const header = Buffer.alloc(isShort ? 4 : 10);
  header.writeUInt16BE((TEXT << 8) | (isShort ? 126 : 127));
  if (isShort) header.writeUInt16BE(length, 2);
  else header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
