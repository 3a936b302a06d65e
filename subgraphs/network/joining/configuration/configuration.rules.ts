import { isDeepStrictEqual } from 'node:util';
import { badRequest } from '../../../../kernel/errors.js';
import { entityTags } from '../../../../kernel/http/entity-tags.js';
import { decodeCertificate } from '../../certificates/certificate/certificate.rules.js';
import type { CarriedSubnets } from '../../compile/nebula/carried-subnets.rules.js';

/** Maximum wait for a change in seconds; calls of a subgraph time out after 25. */
const MAX_WAIT_SECONDS = 20;

/** The subnets in the certificates of the routers among these machines. @param subnets that each router needs, by peer */
export function carriedSubnets(
  machines: readonly { readonly id: number; readonly ip: string; readonly certificate: Buffer | null }[],
  subnets: ReadonlyMap<number, readonly string[]>,
): CarriedSubnets {
  const routers = machines.filter(({ id }) => subnets.has(id));
  return new Map(
    routers.map(({ ip, certificate }) => [ip, certificate ? decodeCertificate(certificate).subnets : []] as const),
  );
}

/** Returns the first configuration hash in an `If-None-Match` header; undefined when it has none. */
export function knownHash(header: unknown): string | undefined {
  const hashes = entityTags(header).map((tag) => /^"([0-9a-f]{64})"$/.exec(tag)?.[1]);
  return hashes.find((hash) => hash !== undefined);
}

/** Returns the wait that a machine asks for, in seconds; 0: none. @throws BAD_REQUEST */
export function waitSecondsOf(wait: unknown): number {
  if (wait === undefined) return 0;
  if (typeof wait !== 'string' || !/^\d{1,9}$/.test(wait))
    throw badRequest('`wait` must be a whole number of seconds.');
  return Math.min(Number(wait), MAX_WAIT_SECONDS);
}

/** Returns the previous value if the new one is equal, so that equal values are the same object. */
export function reuseIfEqual<Value>(previous: Value | undefined, next: Value): Value {
  return previous !== undefined && isDeepStrictEqual(previous, next) ? previous : next;
}
