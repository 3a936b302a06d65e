import { generateKeyPairSync } from 'node:crypto';
import { readPem } from '../../kernel/security/host-key.js';
import {
  decodeCertificate,
  refusalOf,
  type Certificate,
} from '../../subgraphs/network/certificates/certificate/certificate.rules.js';
import { call, graphql, type Json, type Reply } from './platform.js';
import { grant, signIn, type SignedIn } from './wallet.js';

/** An x25519 pair of somebody's own, 32 bytes each. */
export function newKeyPair(): { readonly publicKey: Buffer; readonly privateKey: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
  };
}

/** Signs in a user with so many credits. */
export async function signInWithCredits(credits = '10'): Promise<SignedIn> {
  const user = await signIn();
  if (credits !== '0') await grant(user, credits);
  return user;
}

interface Asked {
  readonly token: string;
  readonly url?: string;
}

/** Asks for a certificate as clients do. */
export function requestCertificate(asked: Asked, body?: object): Promise<Reply> {
  return call('POST /api/infrastructure/certificates/request/', { ...asked, ...(body && { body }) });
}

export function renewCertificate(asked: Asked, body?: object): Promise<Reply> {
  return call('POST /api/infrastructure/certificates/renew/', { ...asked, ...(body && { body }) });
}

export function readCertificate(asked: Asked): Promise<Reply> {
  return call('GET /api/infrastructure/certificates/', asked);
}

/** Revokes it; answers `{data, errors}`. */
export function revokeCertificate({ token, url }: Asked, id: number): Promise<Json> {
  return graphql(
    'mutation ($id: Int!) { revokeOverlayCertificate(certificateId: $id) { certificateId state ip isOwnKey revokedAt } }',
    { token, variables: { id }, ...(url !== undefined && { url }) },
  );
}

/** The certificates of a text of PEM blocks. */
export function certificatesIn(text: string): Buffer[] {
  const blocks = text.split(/(?<=-----END NEBULA CERTIFICATE-----\n)/);
  return blocks.flatMap((block) => readPem('certificate', block) ?? []);
}

/** What the first certificate of a text of PEM says. */
export function decoded(text: string): Certificate {
  const [bytes] = certificatesIn(text);
  if (!bytes) throw new Error('there is no certificate');
  return decodeCertificate(bytes);
}

/** Why none of the authorities vouches for the certificate now; undefined where one does. */
export function refusalBy(ca: string, cert: string, now = new Date()): string | undefined {
  const [bytes = Buffer.alloc(0)] = certificatesIn(cert);
  const refusals = certificatesIn(ca).map((authority) => refusalOf(bytes, authority, now));
  return refusals.includes(undefined) ? undefined : (refusals[0] ?? 'there is no authority');
}
