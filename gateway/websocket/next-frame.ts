/** The first byte of a frame with a whole text message. Source: RFC 6455, 5.2 */
const TEXT = 0x81;

const ENDING = Buffer.from('}');

/** Results up to this size are copied into their frame, which takes less time than to write three chunks. */
const COPIED_BYTES = 16 * 1024;

/**
 * Returns the message `next` of the operation with this id, as the chunks of a frame. A large result is one of them: the
 * chunk is the same for all clients. @param json the result
 */
export function nextFrame(id: string, json: Buffer): readonly Buffer[] {
  const beginning = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  const header = headerOf(beginning.length + json.length + ENDING.length);
  const chunks = [header, beginning, json, ENDING];
  return json.length <= COPIED_BYTES ? [Buffer.concat(chunks)] : chunks;
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
