/** Grace period in seconds: reuse of a refresh token returns the same successor. */
const GRACE_SECONDS = 20;

/** The result of presenting a refresh token. */
export type Presentation = 'first' | 'again' | 'stolen';

/** Reuse of a refresh token ends its session, except within the grace period. Source: RFC 9700, 4.14.2 */
export function presentationOf(usedAt: Date | null, now: Date): Presentation {
  if (usedAt === null) return 'first';
  return now.getTime() - usedAt.getTime() < GRACE_SECONDS * 1000 ? 'again' : 'stolen';
}
