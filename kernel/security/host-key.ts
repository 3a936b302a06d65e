import { badRequest } from '../errors.js';

/** Length of a public key in bytes. */
const KEY_BYTES = 32;

/** 2^255 - 19; valid coordinates are below it. Source: RFC 7748 */
const FIELD_PRIME = 2n ** 255n - 19n;

/** Points of small order, with which every shared secret is zero. Source: RFC 7748 section 6.1, Bernstein's list */
const LOW_ORDER = new Set([
  0n,
  1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
  FIELD_PRIME - 1n,
]);

/** The labels of Nebula's PEM blocks. */
const LABELS = {
  certificate: 'NEBULA CERTIFICATE',
  hostPublicKey: 'NEBULA X25519 PUBLIC KEY',
  hostKey: 'NEBULA X25519 PRIVATE KEY',
  authorityKey: 'NEBULA ED25519 PRIVATE KEY',
} as const;

/** Encodes bytes as a PEM block that ends with a line feed. */
export function pemOf(kind: keyof typeof LABELS, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${LABELS[kind]}-----`, ...lines, `-----END ${LABELS[kind]}-----`, ''].join('\n');
}

/** Decodes the first PEM block of the kind; undefined if there is none. */
export function readPem(kind: keyof typeof LABELS, text: string): Buffer | undefined {
  const label = LABELS[kind];
  const body = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]*)-----END ${label}-----`).exec(text)?.[1];
  return body === undefined ? undefined : Buffer.from(body, 'base64');
}

/**
 * Parses the x25519 public key of a host: PEM, or 32 bytes in base64 or hex. @throws BAD_REQUEST for other texts and for
 * points that are invalid for key agreement
 */
export function checkHostKey(text: string): Buffer {
  const isOne = text.split('-----BEGIN ').length <= 2;
  const key = isOne ? (readPem('hostPublicKey', text) ?? readRawKey(text.trim())) : undefined;
  if (key?.length !== KEY_BYTES) {
    throw badRequest(
      '`public_key` must be an x25519 public key: PEM as `nebula-cert keygen` writes it, or 32 bytes in base64 or hex.',
    );
  }
  const coordinate = BigInt(`0x${Buffer.from(key.toReversed()).toString('hex')}`);
  if (coordinate >= FIELD_PRIME || LOW_ORDER.has(coordinate)) {
    throw badRequest('`public_key` is no point that a secret can be agreed on with; make a new pair of keys.');
  }
  return key;
}

function readRawKey(text: string): Buffer | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
