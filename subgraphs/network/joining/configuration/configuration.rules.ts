import { entityTags } from '../../../../kernel/http/entity-tags.js';
import { addressText, holds, spanOf } from '../../compile/enforcement/span.rules.js';
import { decodeCertificate } from '../../compile/enforcement/certificate.rules.js';
import type { Lighthouse } from '../../compile/enforcement/nebula.rules.js';
import type { PeerPlan, Route } from '../../compile/enforcement/graph.js';

/** Where a machine keeps its private key; the join script writes its own place instead. */
export const KEY_FILE = '/etc/archipelago/host.key';

/**
 * Where the peers of a tenant learn of each other: the first addresses of its range, at a port of its own on each host.
 * @param place of the range in the pool
 */
export function lighthousesOf(
  { addressRange, place }: { readonly addressRange: string; readonly place: number },
  hosts: readonly string[],
  firstPort: number,
): Lighthouse[] {
  const { first } = spanOf(addressRange);
  return hosts.map((host, i) => ({ ip: addressText(first + 1 + i), address: `${host}:${firstPort + place}` }));
}

/** A certificate is renewed when so much of its life is over. Source: private network, joining */
const RENEWAL = 2 / 3;

/** What a certificate is to be like. */
interface WantedCertificate {
  readonly subnets: readonly string[];
  /** Fingerprint of the authority that signs; undefined: none does yet. */
  readonly signer: string | undefined;
}

/** Whether a peer needs another certificate: it has none, its life is two thirds over, it carries other subnets or another authority signs now. */
export function isCertificateDue(
  certificate: Buffer | null,
  { subnets, signer }: WantedCertificate,
  now: Date,
): boolean {
  if (!certificate) return true;
  const { notBefore, notAfter, issuer, ...carried } = decodeCertificate(certificate);
  if (signer !== undefined && issuer !== signer) return true;
  const lifeMs = notAfter.getTime() - notBefore.getTime();
  if (now.getTime() >= notBefore.getTime() + lifeMs * RENEWAL) return true;
  return carried.subnets.toSorted().join() !== [...subnets].toSorted().join();
}

/** What a peer's certificate has to name. */
export function subnetsOf({ gateway }: PeerPlan): readonly string[] {
  return gateway?.subnets ?? [];
}

/** What the certificates of routers carry, by overlay address. */
export type CarriedSubnets = ReadonlyMap<string, readonly string[]>;

/** Of the machines that are routers. @param subnets what their certificates have to name */
export function carriedSubnets(
  machines: readonly { readonly id: number; readonly ip: string; readonly certificate: Buffer | null }[],
  subnets: ReadonlyMap<number, readonly string[]>,
): CarriedSubnets {
  const routers = machines.filter(({ id }) => subnets.has(id));
  return new Map(
    routers.map(({ ip, certificate }) => [ip, certificate ? decodeCertificate(certificate).subnets : []] as const),
  );
}

/**
 * Whether a route can be used. Nebula reads what a router carries from the certificate of the handshake: a route given
 * before would make a tunnel in which its packets are refused for as long as it lasts.
 */
export function isCarried({ cidr, via }: Route, carried: CarriedSubnets): boolean {
  return (carried.get(via) ?? []).some((subnet) => holds(spanOf(subnet), spanOf(cidr)));
}

/** The hash that an `If-None-Match` names, or the first of several; undefined where it names none. */
export function knownHash(header: unknown): string | undefined {
  const hashes = entityTags(header).map((tag) => /^"([0-9a-f]{64})"$/.exec(tag)?.[1]);
  return hashes.find((hash) => hash !== undefined);
}
