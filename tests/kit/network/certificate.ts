import { generateKeyPairSync } from 'node:crypto';
import { readPem } from '../../../kernel/security/host-key.js';
import {
  decodeCertificate,
  type Certificate,
} from '../../../subgraphs/network/certificates/certificate/certificate.rules.js';
import { refusalOf } from './certificate-verification.js';
import { call, graphql, type Json, type Reply } from '../platform.js';
import { grant, signIn, type SignedIn } from '../accounts/wallet.js';

/** Creates an x25519 key pair of 32 bytes each. */
export function newKeyPair(): { readonly publicKey: Buffer; readonly privateKey: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
  };
}

/** Signs in a user with these credits. */
export async function signInWithCredits(credits = '10'): Promise<SignedIn> {
  const user = await signIn();
  if (credits !== '0') await grant(user, credits);
  return user;
}

interface RequestOptions {
  readonly token: string;
  readonly url?: string;
}

/** Requests a certificate as clients do. */
export function requestCertificate(options: RequestOptions, body?: object): Promise<Reply> {
  return call('POST /api/infrastructure/certificates/request/', { ...options, ...(body && { body }) });
}

export function renewCertificate(options: RequestOptions, body?: object): Promise<Reply> {
  return call('POST /api/infrastructure/certificates/renew/', { ...options, ...(body && { body }) });
}

export function readCertificate(options: RequestOptions): Promise<Reply> {
  return call('GET /api/infrastructure/certificates/', options);
}

/** Revokes a certificate. Returns `{data, errors}`. */
export function revokeCertificate({ token, url }: RequestOptions, id: number): Promise<Json> {
  return graphql(
    'mutation ($id: Int!) { revokeOverlayCertificate(certificateId: $id) { certificateId state ip isOwnKey revokedAt } }',
    { token, variables: { id }, ...(url !== undefined && { url }) },
  );
}

/** Decodes the certificates of a PEM text. */
export function certificatesIn(text: string): Buffer[] {
  const blocks = text.split(/(?<=-----END NEBULA CERTIFICATE-----\n)/);
  return blocks.flatMap((block) => readPem('certificate', block) ?? []);
}

/** Parses the first certificate of a PEM text. */
export function decoded(text: string): Certificate {
  const [bytes] = certificatesIn(text);
  if (!bytes) throw new Error('there is no certificate');
  return decodeCertificate(bytes);
}

/** Returns why the certificate is not valid now; undefined when one of the authorities has signed it. */
export function refusalBy(ca: string, cert: string, now = new Date()): string | undefined {
  const [bytes = Buffer.alloc(0)] = certificatesIn(cert);
  const refusals = certificatesIn(ca).map((authority) => refusalOf(bytes, authority, now));
  return refusals.includes(undefined) ? undefined : (refusals[0] ?? 'there is no authority');
}
