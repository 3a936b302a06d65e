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
  return sha256(token).toString('hex');
}

/** Returns the token of an Authorization header with the scheme Token, Bearer or ServiceToken; undefined for other headers. */
export function tokenOf(authorization: string | undefined): string | undefined {
  const match = /^(?:Token|Bearer|ServiceToken) +(\S{1,4096}) *$/i.exec(authorization ?? '');
  return match?.[1];
}

/** Whether the secret is one of the accepted ones. Compares all of them, each in constant time. */
export function matchesSecret(presented: string, accepted: readonly string[]): boolean {
  const given = sha256(presented);
  return accepted.filter((secret) => timingSafeEqual(given, sha256(secret))).length > 0;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
