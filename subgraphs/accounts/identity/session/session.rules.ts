/** Grace period in seconds: reuse of a refresh token returns the same successor. Source: decisions, Tokens */
const GRACE_SECONDS = 20;

/** The result of presenting a refresh token. */
export type Presentation = 'first' | 'again' | 'stolen';

/** Source: decisions, Tokens: reuse ends the family, save for a 20 s grace to the same successor */
export function presentationOf(usedAt: Date | null, now: Date): Presentation {
  if (usedAt === null) return 'first';
  return now.getTime() - usedAt.getTime() < GRACE_SECONDS * 1000 ? 'again' : 'stolen';
}
