import type { Role } from '../../../../kernel/viewer.js';

/** Seconds within which a used refresh token is told its successor again. Source: decisions, Tokens */
const GRACE_SECONDS = 20;

/** Roles from the furthest-reaching down. */
const RANKS: readonly Role[] = ['SUPERUSER', 'ADMIN', 'VALIDATOR', 'MARKETING', 'BETA'];

/** The one word for a user's roles that a master token is told with. Source: platform document, Master token response */
export function roleWord(roles: readonly Role[]): string {
  return RANKS.find((role) => roles.includes(role))?.toLowerCase() ?? 'user';
}

/** What presenting a refresh token means. */
export type Presentation = 'first' | 'again' | 'stolen';

/** Source: decisions, Tokens: reuse ends the family, save for a 20 s grace to the same successor */
export function presentationOf(usedAt: Date | null, now: Date): Presentation {
  if (usedAt === null) return 'first';
  return now.getTime() - usedAt.getTime() < GRACE_SECONDS * 1000 ? 'again' : 'stolen';
}
