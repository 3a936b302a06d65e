import type { Role } from '../../../../kernel/security/viewer.js';

/** Roles, highest first. */
const RANKS: readonly Role[] = ['SUPERUSER', 'ADMIN', 'VALIDATOR', 'MARKETING', 'BETA'];

/** The highest role, as reported in a master token response. */
export function highestRole(roles: readonly Role[]): string {
  return RANKS.find((role) => roles.includes(role))?.toLowerCase() ?? 'user';
}
