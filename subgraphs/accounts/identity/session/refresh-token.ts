import { decodeJwt, errors, SignJWT } from 'jose';
import { randomBytes } from 'node:crypto';
import type { AccountsContext } from '../../services.js';
import { openSigner } from '../signing-key/signing-key.actions.js';

/** The `typ` header that distinguishes refresh tokens from access tokens. */
const REFRESH_TYPE = 'refresh+jwt';

/** Audience of refresh tokens. */
const REFRESH_PATH = '/api/auth/token/refresh/';

/** Claims of a refresh token. */
export interface RefreshClaims {
  readonly userId: number;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Creates a unique refresh token. */
export type RefreshSigner = (claims: RefreshClaims) => Promise<string>;

/** Opens the signer of refresh tokens. The stored record decides whether a token is valid, so it can outlive its key. */
export async function openRefreshSigner({
  database,
  services,
  publicUrl,
  now,
}: AccountsContext): Promise<RefreshSigner> {
  const signer = await openSigner(database, services.signingSecret, now());
  return ({ userId, issuedAt, expiresAt }) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'EdDSA', kid: signer.kid, typ: REFRESH_TYPE })
      .setIssuer(publicUrl)
      .setAudience(publicUrl + REFRESH_PATH)
      .setSubject(String(userId))
      .setJti(randomBytes(32).toString('base64url'))
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(signer.key);
}

/** The largest id of a user. */
const MAX_ID = 2_147_483_647;

/** The user whom a refresh token names; undefined if it is no JWT. Whether it is valid is decided by the stored record. */
export function userOfRefreshToken(token: string): number | undefined {
  try {
    const { sub = '' } = decodeJwt(token);
    return /^\d{1,10}$/.test(sub) && Number(sub) <= MAX_ID ? Number(sub) : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
