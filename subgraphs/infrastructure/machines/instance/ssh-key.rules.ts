import { createPublicKey } from 'node:crypto';
import { badRequest } from '../../../../kernel/errors.js';
import { isOfSmallOrder } from '../../../../kernel/security/small-order.js';

/** Maximum length of a key with its comment; an RSA key of 16384 bits has about 2800 characters. */
const MAX_LENGTH = 8_192;

/** Bits of an RSA modulus. */
const RSA_BITS = { min: 2_048, max: 16_384 } as const;

const REFUSED =
  '`ssh_public_key` must be a single-line OpenSSH public key: ssh-ed25519, ssh-rsa of at least 2048 bits, ecdsa-sha2-nistp256/384/521 or their sk- forms.';

/** Validates an OpenSSH public key of a supported type and returns it trimmed. @throws BAD_REQUEST */
export function checkSshKey(text: string): string {
  const line = text.trim();
  // A second line would add a second key; control characters could corrupt the authorized_keys file.
  const parts = /^([a-z0-9@.-]+) +([A-Za-z0-9+/]+={0,2})(?: [^\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}]*)?$/u;
  const [, type = '', base64 = ''] = (line.length <= MAX_LENGTH && parts.exec(line)) || [];
  if (!isKey(type, base64)) throw badRequest(REFUSED);
  return line;
}

function isKey(type: string, base64: string): boolean {
  const isGood = KINDS.get(type);
  const blob = Buffer.from(base64, 'base64');
  if (!isGood || blob.toString('base64') !== base64) return false;
  const [inner, ...fields] = readFields(blob) ?? [];
  return inner?.toString('latin1') === type && isGood(fields);
}

type Fields = readonly Buffer[];

/** Checks of the fields of each key type. Source: RFC 8709, 4; RFC 4253, 6.6; RFC 5656, 3.1; OpenSSH PROTOCOL.u2f */
const KINDS: ReadonlyMap<string, (fields: Fields) => boolean> = new Map(
  Object.entries({
    'ssh-ed25519': ([key, ...rest]: Fields) => rest.length === 0 && isEdwards(key),
    'ssh-rsa': ([exponent, modulus, ...rest]: Fields) => rest.length === 0 && isRsa(exponent, modulus),
    'ecdsa-sha2-nistp256': (fields: Fields) => fields.length === 2 && isPoint(fields, 'nistp256'),
    'ecdsa-sha2-nistp384': (fields: Fields) => fields.length === 2 && isPoint(fields, 'nistp384'),
    'ecdsa-sha2-nistp521': (fields: Fields) => fields.length === 2 && isPoint(fields, 'nistp521'),
    'sk-ssh-ed25519@openssh.com': ([key, application, ...rest]: Fields) =>
      rest.length === 0 && isEdwards(key) && isApplication(application),
    'sk-ecdsa-sha2-nistp256@openssh.com': (fields: Fields) =>
      fields.length === 3 && isPoint(fields, 'nistp256') && isApplication(fields[2]),
  }),
);

/** Splits the blob into length-prefixed strings; undefined when malformed. Source: RFC 4251, 5 */
function readFields(blob: Buffer): Fields | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    if (at + 4 > blob.length) return undefined;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function isRsa(exponent: Buffer | undefined, modulus: Buffer | undefined): boolean {
  if (!exponent || !modulus || ![exponent, modulus].every((number) => isPositive(number) && isOdd(number)))
    return false;
  const bits = BigInt(`0x${modulus.toString('hex')}`).toString(2).length;
  const isExponent = exponent.length <= 8 && !exponent.equals(ONE);
  return isExponent && bits >= RSA_BITS.min && bits <= RSA_BITS.max;
}

const ONE = Buffer.from([1]);

function isOdd(number: Buffer): boolean {
  return (number.at(-1) ?? 0) % 2 === 1;
}

/** A positive number in the shortest encoding. Source: RFC 4251, 5, mpint */
function isPositive(number: Buffer): boolean {
  const [first = 0x80, second = 0x80] = number;
  return number.length > 0 && first < 0x80 && !(first === 0 && second < 0x80);
}

/** JWK name and coordinate size of each curve. Source: RFC 7518, 6.2.1 */
const CURVES = {
  nistp256: { crv: 'P-256', bytes: 32 },
  nistp384: { crv: 'P-384', bytes: 48 },
  nistp521: { crv: 'P-521', bytes: 66 },
} as const;

/** An uncompressed point on the curve that the key names. Source: RFC 5656, 3.1; SEC 1, 2.3.3 */
function isPoint([curve, point]: Fields, name: keyof typeof CURVES): boolean {
  const { crv, bytes } = CURVES[name];
  if (curve?.toString('latin1') !== name || point?.length !== 1 + 2 * bytes || point[0] !== 4) return false;
  const coordinate = (start: number) => point.subarray(start, start + bytes).toString('base64url');
  try {
    createPublicKey({ format: 'jwk', key: { kty: 'EC', crv, x: coordinate(1), y: coordinate(1 + bytes) } });
    return true;
  } catch {
    return false;
  }
}

/** A key that is not on the curve is harmless, because no signature can be valid. */
function isEdwards(key: Buffer | undefined): boolean {
  return key?.length === 32 && !isOfSmallOrder(key);
}

function isApplication(application: Buffer | undefined): boolean {
  return application !== undefined && application.length > 0;
}
