import { decodeCertificate, type Certificate } from './certificate.rules.js';

/** A certificate is renewed after this share of its lifetime. Source: private network, joining */
const RENEWAL = 2 / 3;

interface DesiredCertificate {
  /** Undefined: any. */
  readonly subnets?: readonly string[];
  /** Fingerprint of the authority that signs; undefined while the tenant has none. */
  readonly signer: string | undefined;
}

/** Whether a peer needs a new certificate: it has none, two thirds of the lifetime have passed, or its subnets or the signing authority changed. */
export function isCertificateDue(
  certificate: Buffer | null,
  { subnets, signer }: DesiredCertificate,
  now: Date,
): boolean {
  if (!certificate) return true;
  const { issuer, ...carried } = decodeCertificate(certificate);
  if (signer !== undefined && issuer !== signer) return true;
  if (now >= renewalTimeOf(carried)) return true;
  return subnets !== undefined && carried.subnets.toSorted().join() !== [...subnets].toSorted().join();
}

/** When a certificate must be renewed. */
export function renewalTimeOf({ notBefore, notAfter }: Pick<Certificate, 'notBefore' | 'notAfter'>): Date {
  const validityMs = notAfter.getTime() - notBefore.getTime();
  return new Date(notBefore.getTime() + validityMs * RENEWAL);
}
