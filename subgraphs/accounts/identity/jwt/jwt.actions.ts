import { createLocalJWKSet, errors, jwtVerify, SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import { unauthenticated } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import { countAttempt, type RateLimit } from '../rate-limit/rate.actions.js';
import type { AccountsContext } from '../../services.js';
import { listPublicKeys, openSigner } from '../signing-key/signing-key.actions.js';
import type { Jwk } from '../signing-key/signing-key.js';
import type { KnownHolder } from '../api-token/lookups.js';
import { recordUse } from '../api-token/token-use.actions.js';
import { findUser } from '../user/user.actions.js';
import { findSessionHolder } from '../session/active-sessions.actions.js';
import { beginSession, type SessionStart } from '../session/new-session.actions.js';
import { continueSession, type KnownSession, type LiveSession } from '../session/session.actions.js';
import { openRefreshSigner } from '../session/refresh-token.js';
import { highestRole } from '../role/highest-role.rules.js';
import { ACCESS_TTL_SECONDS, type MasterToken } from './access-token.js';

/** The `typ` header of access tokens; other JWTs of the platform have another one. */
const ACCESS_TYPE = 'JWT';

/** Scope of every access token. */
const SCOPE = 'platform';

/** Limit of new sessions per user. */
const BEGIN_RATE: RateLimit = { scope: 'master-token', max: 30, windowSeconds: 60 };

/** Issues a pair of tokens for a new session of the viewer. @throws RATE_LIMITED */
export async function issueMasterToken(
  context: AccountsContext,
  viewer: UserViewer,
  start: Pick<SessionStart, 'userAgent' | 'replacesToken'>,
): Promise<MasterToken> {
  await countAttempt(context.database, BEGIN_RATE, String(viewer.userId), context.now());
  const sign = await openRefreshSigner(context);
  const session = await beginSession(context.database, sign, viewer, { ...start, now: context.now() });
  return masterToken(context, session);
}

/** Issues the next pair of tokens. @throws UNAUTHENTICATED for unknown, expired, revoked or used refresh tokens */
export async function refreshMasterToken(context: AccountsContext, refreshToken: string): Promise<MasterToken> {
  const session = await continueSession(
    context.database,
    await openRefreshSigner(context),
    refreshToken,
    context.now(),
  );
  if (!session || !('refreshToken' in session))
    throw unauthenticated('The refresh token is invalid, expired or revoked; sign in again.');
  return masterToken(context, session);
}

async function masterToken(context: AccountsContext, session: LiveSession): Promise<MasterToken> {
  const { database, services, publicUrl } = context;
  const now = context.now();
  const [user, signer] = await Promise.all([
    findUser(database, session.userId),
    openSigner(database, services.signingSecret, now),
  ]);
  const roles = user?.roles ?? [];
  const issuedAt = Math.floor(now.getTime() / 1000);
  const accessToken = await new SignJWT({ sid: session.sessionId, roles, scope: SCOPE })
    .setProtectedHeader({ alg: 'EdDSA', kid: signer.kid, typ: ACCESS_TYPE })
    .setIssuer(publicUrl)
    .setSubject(String(session.userId))
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TTL_SECONDS)
    .sign(signer.key);
  return {
    accessToken,
    refreshToken: session.refreshToken,
    expiresIn: ACCESS_TTL_SECONDS,
    tokenType: 'Bearer',
    role: highestRole(roles),
    scope: SCOPE,
  };
}

/** The holder of a valid access token with an active session; undefined for any other token. */
export async function findAccessTokenHolder(
  context: AccountsContext,
  accessToken: string,
): Promise<KnownHolder | undefined> {
  const now = context.now();
  const claims = await readClaims(context, accessToken, now);
  if (!claims) return undefined;
  const holder = await findSessionHolder(context, claims);
  if (!holder) return undefined;
  recordUse(context, holder, { kind: 'session', now });
  return { ...holder, expiresAt: claims.expiresAt };
}

interface Claims extends KnownSession {
  readonly expiresAt: Date;
}

async function readClaims(context: AccountsContext, accessToken: string, now: Date): Promise<Claims | undefined> {
  const keys = createLocalJWKSet({ keys: await publicKeysNow(context) });
  try {
    const { payload } = await jwtVerify(accessToken, keys, {
      algorithms: ['EdDSA'],
      typ: ACCESS_TYPE,
      issuer: context.publicUrl,
      requiredClaims: ['sub', 'sid', 'exp', 'jti'],
      currentDate: now,
    });
    const { sid, sub = '', exp = 0 } = payload;
    if (typeof sid !== 'string') return undefined;
    return { userId: Number(sub), sessionId: sid, expiresAt: new Date(exp * 1000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The keys that verify access tokens; concurrent callers share one read. */
async function publicKeysNow({ database, services, now }: AccountsContext): Promise<Jwk[]> {
  const keys = await services.lookups.publicKeys.find('all', async (names) => {
    const all = await listPublicKeys(database, now());
    return new Map(names.map((name) => [name, all]));
  });
  return [...(keys ?? [])];
}
