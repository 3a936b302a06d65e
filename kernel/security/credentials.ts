import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Creates an API token: 256 random bits after a prefix that secret scanners recognize. */
export function makeApiToken(): string {
  return makeToken('arch_');
}

/** Creates a token: 256 random bits after a prefix for its purpose. */
export function makeToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 of a token in lower-case hex, the only form in which tokens are stored or sent to subgraphs. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns the token of an Authorization header with any of the three accepted schemes; undefined for other headers. */
export function tokenOf(authorization: string | undefined): string | undefined {
  const match = /^(?:Token|Bearer|ServiceToken) +(\S{1,4096}) *$/i.exec(authorization ?? '');
  return match?.[1];
}

/** Whether the secret is one of the accepted ones, compared in constant time. */
export function isOneOf(presented: string, accepted: readonly string[]): boolean {
  const given = createHash('sha256').update(presented).digest();
  let found = false;
  for (const secret of accepted) {
    if (timingSafeEqual(given, createHash('sha256').update(secret).digest())) found = true;
  }
  return found;
}
