/** The first byte of a frame with a whole text message. Source: RFC 6455, 5.2 */
const TEXT = 0x81;

/** Returns the message `next` of the operation with this id, as a frame. @param json the result */
export function nextFrame(id: string, json: Buffer): Buffer {
  const beginning = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  return Buffer.concat([headerOf(beginning.length + json.length + 1), beginning, json, Buffer.from('}')]);
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
