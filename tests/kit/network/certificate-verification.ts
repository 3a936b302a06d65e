import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import {
  decodeCertificate,
  fingerprintOf,
  type Certificate,
} from '../../../subgraphs/network/certificates/certificate/certificate.rules.js';
import { readFields } from '../../../subgraphs/network/certificates/certificate/protobuf.rules.js';
import { maskOf, parseAddress } from '../../../subgraphs/network/graph/address/mask.rules.js';

/** The DER prefix of a raw key. Source: RFC 8410 */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Why the authority does not accept the certificate now; undefined if it does. Source: Nebula, cert/cert.go, Verify */
export function refusalOf(bytes: Buffer, authority: Buffer, now: Date): string | undefined {
  const host = decodeCertificate(bytes);
  const signer = decodeCertificate(authority);
  if ([host, signer].some(({ notBefore, notAfter }) => now < notBefore || now > notAfter))
    return 'it is expired or not valid yet';
  if (!signer.isAuthority || host.isAuthority) return 'it is not a host certificate signed by an authority';
  if (host.issuer !== fingerprintOf(authority)) return 'it was signed by another authority';
  const body = readFields(bytes).find(({ number }) => number === 1)?.value;
  if (!Buffer.isBuffer(body)) return 'it has no details';
  const isSigned = verify(null, body, verifyingKey(signer.publicKey), host.signature);
  return isSigned ? excessOf(host, signer) : 'its signature is invalid';
}

/** Which fields of the certificate exceed its authority. */
function excessOf(host: Certificate, signer: Certificate): string | undefined {
  if (host.notBefore < signer.notBefore || host.notAfter > signer.notAfter)
    return 'it is valid for longer than its authority';
  if (!liesWithin(host.ips, signer.ips)) return 'its address is outside the range of the authority';
  if (!liesWithin(host.subnets, signer.subnets)) return 'a subnet is outside the subnets of the authority';
  const isFree = signer.groups.length === 0 || host.groups.every((group) => signer.groups.includes(group));
  return isFree ? undefined : 'a group is not one of the authority’s groups';
}

/** @param publicKey 32 bytes, ed25519 */
function verifyingKey(publicKey: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
}

/** Whether each is within one of the ranges; always true without ranges. */
function liesWithin(networksOfHost: readonly string[], ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  return networksOfHost.every((inner) => {
    const { address, prefix } = parseAddress(inner);
    return ranges.some((outer) => {
      const range = parseAddress(outer);
      const mask = maskOf(range.prefix);
      return prefix >= range.prefix && (address & mask) === (range.address & mask);
    });
  });
}
