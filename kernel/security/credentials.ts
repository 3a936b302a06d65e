import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Makes an API token: 256 random bits behind a prefix that secret scanners can recognise. */
export function makeApiToken(): string {
  return makeToken('arch_');
}

/** Makes a token: 256 random bits behind a prefix that says what it is for. */
export function makeToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** The only form in which a token is stored or passed on: SHA-256, lower-case hex. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * The token of an Authorization header, whatever its scheme of the three we accept; undefined for any other header.
 * Source: operating contract, Credentials.
 */
export function tokenOf(authorization: string | undefined): string | undefined {
  const match = /^(?:Token|Bearer|ServiceToken) +(\S{1,4096}) *$/i.exec(authorization ?? '');
  return match?.[1];
}

/** Compares a presented secret with those accepted in time that tells nothing of either. */
export function isOneOf(presented: string, accepted: readonly string[]): boolean {
  const given = createHash('sha256').update(presented).digest();
  let found = false;
  for (const secret of accepted) {
    if (timingSafeEqual(given, createHash('sha256').update(secret).digest())) found = true;
  }
  return found;
}
