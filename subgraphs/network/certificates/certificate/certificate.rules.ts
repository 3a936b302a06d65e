import { createHash, sign } from 'node:crypto';
import { maskOf, parseAddress, prefixOf } from '../../graph/address/mask.rules.js';
import { signingKey } from './key.rules.js';
import {
  bytesField,
  numberField,
  oneOfMany,
  packedField,
  readFields,
  readPacked,
  type Field,
} from './protobuf.rules.js';
import { addressText } from '../../graph/address/span.rules.js';

/** The content of a Nebula certificate of version 1. */
export interface CertificateDetails {
  readonly name: string;
  /** Addresses with their prefix length, e.g. `100.64.0.11/21`; of an authority: the range that host addresses must be in. */
  readonly ips: readonly string[];
  /** CIDRs behind the host that it may route packets for. */
  readonly subnets: readonly string[];
  readonly groups: readonly string[];
  /** Whole seconds are kept. */
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** x25519 of a host, ed25519 of an authority: 32 bytes. */
  readonly publicKey: Buffer;
  readonly isAuthority: boolean;
  /** Fingerprint of the authority; empty for an authority. */
  readonly issuer: string;
}

export interface Certificate extends CertificateDetails {
  readonly signature: Buffer;
}

/** Numbers of the fields. Source: Nebula, cert/cert_v1.proto */
const CERTIFICATE = { details: 1, signature: 2 } as const;
const DETAILS = {
  name: 1,
  ips: 2,
  subnets: 3,
  groups: 4,
  notBefore: 5,
  notAfter: 6,
  publicKey: 7,
  isAuthority: 8,
  issuer: 9,
} as const;

/** Encodes and signs a certificate. @param authorityKey the authority's private ed25519 key: 32 bytes of seed, 32 of public key */
export function signCertificate(details: CertificateDetails, authorityKey: Buffer): Buffer {
  const body = encodeDetails(details);
  const signature = sign(null, body, signingKey(authorityKey));
  return Buffer.concat([bytesField(CERTIFICATE.details, body), bytesField(CERTIFICATE.signature, signature)]);
}

/** Parses a certificate without verifying it. @throws Error for invalid bytes */
export function decodeCertificate(bytes: Buffer): Certificate {
  const outer = readFields(bytes);
  const fields = readFields(bytesOf(outer, CERTIFICATE.details));
  return {
    name: bytesOf(fields, DETAILS.name).toString('utf8'),
    ips: networks(bytesOf(fields, DETAILS.ips)),
    subnets: networks(bytesOf(fields, DETAILS.subnets)),
    groups: fields.filter(({ number }) => number === DETAILS.groups).map(({ value }) => value.toString()),
    notBefore: new Date(numberOf(fields, DETAILS.notBefore) * 1000),
    notAfter: new Date(numberOf(fields, DETAILS.notAfter) * 1000),
    publicKey: bytesOf(fields, DETAILS.publicKey),
    isAuthority: numberOf(fields, DETAILS.isAuthority) !== 0,
    issuer: bytesOf(fields, DETAILS.issuer).toString('hex'),
    signature: bytesOf(outer, CERTIFICATE.signature),
  };
}

/** The fingerprint of a certificate: SHA-256 of its bytes, lower-case hex. Blocklists and the issuer field use it. */
export function fingerprintOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function encodeDetails(details: CertificateDetails): Buffer {
  return Buffer.concat([
    bytesField(DETAILS.name, Buffer.from(details.name)),
    packedField(DETAILS.ips, details.ips.flatMap(numbers)),
    packedField(DETAILS.subnets, details.subnets.flatMap(numbers)),
    ...details.groups.map((group) => oneOfMany(DETAILS.groups, Buffer.from(group))),
    numberField(DETAILS.notBefore, seconds(details.notBefore)),
    numberField(DETAILS.notAfter, seconds(details.notAfter)),
    bytesField(DETAILS.publicKey, details.publicKey),
    numberField(DETAILS.isAuthority, details.isAuthority ? 1 : 0),
    bytesField(DETAILS.issuer, Buffer.from(details.issuer, 'hex')),
  ]);
}

/** An address and its mask, which are consecutive numbers in the certificate. */
function numbers(network: string): [address: number, mask: number] {
  const { address, prefix } = parseAddress(network);
  return [address, maskOf(prefix)];
}

function networks(packed: Buffer): string[] {
  const values = readPacked(packed);
  const pairs = Array.from({ length: Math.ceil(values.length / 2) }, (_, place) =>
    values.slice(place * 2, place * 2 + 2),
  );
  return pairs.map(([address = 0, mask = 0]) => `${addressText(address)}/${prefixOf(mask)}`);
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

function bytesOf(fields: readonly Field[], fieldNumber: number): Buffer {
  const value = fields.find(({ number }) => number === fieldNumber)?.value ?? Buffer.alloc(0);
  if (typeof value === 'number') throw new Error(`the field ${fieldNumber} contains a number`);
  return value;
}

function numberOf(fields: readonly Field[], fieldNumber: number): number {
  const value = fields.find(({ number }) => number === fieldNumber)?.value ?? 0;
  if (typeof value !== 'number') throw new Error(`the field ${fieldNumber} does not contain a number`);
  return value;
}
