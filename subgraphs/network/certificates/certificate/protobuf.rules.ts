/** The subset of protocol buffers that Nebula certificates use: varints and byte strings. Source: protobuf.dev, Encoding. */
const VARINT = 0;
const BYTES = 2;

/** Maximum length of a varint here: all values fit exactly into a number. */
const VARINT_BYTES = 8;

/** One field as it was read: a number, or bytes. */
export interface Field {
  readonly number: number;
  readonly value: number | Buffer;
}

/** Encodes a number; omitted when zero, as in every proto3 encoder. @param value 0 and up */
export function numberField(number: number, value: number): Buffer {
  return value === 0 ? Buffer.alloc(0) : Buffer.concat([varint(number * 8 + VARINT), varint(value)]);
}

/** Encodes bytes; omitted when empty. */
export function bytesField(number: number, value: Uint8Array): Buffer {
  return value.length === 0 ? Buffer.alloc(0) : oneOfMany(number, value);
}

/** Encodes an element of a repeated field, also when it is empty. */
export function oneOfMany(number: number, value: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + BYTES), varint(value.length), value]);
}

/** Numbers as one packed field. */
export function packedField(number: number, values: readonly number[]): Buffer {
  return bytesField(number, Buffer.concat(values.map(varint)));
}

/** Parses the fields of a message in order. @throws Error for an invalid message */
export function readFields(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = readVarint(bytes, at);
    const head = readVarint(bytes, tag.end);
    const kind = tag.value % 8;
    if (kind !== VARINT && kind !== BYTES) throw new Error(`a field has the unknown wire type ${kind}`);
    const end = kind === VARINT ? head.end : head.end + head.value;
    if (end > bytes.length) throw new Error('a field is longer than the message');
    const value = kind === VARINT ? head.value : bytes.subarray(head.end, end);
    fields.push({ number: Math.floor(tag.value / 8), value });
    at = end;
  }
  return fields;
}

/** The numbers of a packed field. */
export function readPacked(bytes: Buffer): number[] {
  const values: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const { value, end } = readVarint(bytes, at);
    values.push(value);
    at = end;
  }
  return values;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

function readVarint(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let place = 0; place < VARINT_BYTES; place += 1) {
    const byte = bytes[start + place];
    if (byte === undefined) throw new Error('the message ends inside a number');
    value += (byte % 0x80) * 0x80 ** place;
    if (byte >= 0x80) continue;
    if (!Number.isSafeInteger(value)) break;
    return { value, end: start + place + 1 };
  }
  throw new Error('a number is too large');
}
