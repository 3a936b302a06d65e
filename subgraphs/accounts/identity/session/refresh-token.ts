import { SignJWT } from 'jose';
import { randomBytes } from 'node:crypto';
import type { AccountsContext } from '../../services.js';
import { openSigner } from '../signing-key/signing-key.actions.js';

/** Tells it from an access token for whoever looks at the type only. */
const REFRESH_TYPE = 'refresh+jwt';

/** Where a refresh token may be used: nowhere else. */
const REFRESH_PATH = '/api/auth/token/refresh/';

/** Whose refresh token, and how long it lives. */
export interface RefreshClaims {
  readonly userId: number;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Writes a new refresh token, never the same twice. */
export type RefreshSigner = (claims: RefreshClaims) => Promise<string>;

/** Opens what signs refresh tokens. Whether one is good is decided by what is kept of it, so it outlives its key. */
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
