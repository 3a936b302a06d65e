import { ed25519 } from '@noble/curves/ed25519.js';
import { createPublicKey } from 'node:crypto';
import { badRequest } from '../../../../kernel/errors.js';

/** Characters of a key with its comment: an RSA key of 16384 bits has some 2800. */
const LONGEST = 8_192;

/** Bits of an RSA modulus. */
const RSA_BITS = { least: 2_048, most: 16_384 } as const;

const REFUSED =
  '`ssh_public_key` must be a single-line OpenSSH public key: ssh-ed25519, ssh-rsa of at least 2048 bits, ecdsa-sha2-nistp256/384/521 or their sk- forms.';

/** Refuses what is no OpenSSH public key of a kind that is good today; returns it without blanks around it. @throws BAD_REQUEST */
export function checkSshKey(text: string): string {
  const line = text.trim();
  // A second line would be a second key, a control character anything at all in the guest's file.
  const parts = /^([a-z0-9@.-]+) +([A-Za-z0-9+/]+={0,2})(?: +[^\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}]*)?$/u.exec(line);
  const [, type = '', base64 = ''] = parts ?? [];
  if (line.length > LONGEST || !isKey(type, base64)) throw badRequest(REFUSED);
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

/** What must follow the type in each kind of key. Source: RFC 8709, 4; RFC 4253, 6.6; RFC 5656, 3.1; OpenSSH PROTOCOL.u2f */
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

/** The strings that the blob is made of, each behind its length; undefined when it is not. Source: RFC 4251, 5 */
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
  return isExponent && bits >= RSA_BITS.least && bits <= RSA_BITS.most;
}

const ONE = Buffer.from([1]);

function isOdd(number: Buffer): boolean {
  return (number.at(-1) ?? 0) % 2 === 1;
}

/** Above zero and written as short as can be. Source: RFC 4251, 5, mpint */
function isPositive(number: Buffer): boolean {
  const [first = 0x80, second = 0x80] = number;
  return number.length > 0 && first < 0x80 && !(first === 0 && second < 0x80);
}

/** Of each curve, its name in a JWK and the bytes of a coordinate. Source: RFC 7518, 6.2.1 */
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

/** 32 bytes that are none of the points by which anyone can sign: those of small order. Source: RFC 8032, 5.1; RFC 7748, 7 */
function isEdwards(key: Buffer | undefined): boolean {
  if (key?.length !== 32) return false;
  try {
    return !ed25519.Point.fromBytes(key, true).isSmallOrder();
  } catch {
    // No point at all: nobody can sign by it, as by a key that was lost.
    return true;
  }
}

function isApplication(application: Buffer | undefined): boolean {
  return application !== undefined && application.length > 0;
}
