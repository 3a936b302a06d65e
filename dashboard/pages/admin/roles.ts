import type { graphql } from '../../graphql/graphql';

/** A role of a user. */
export type Role = ReturnType<typeof graphql.scalar<'Role'>>;

/** Every role that an administrator can give. */
export const ROLES: readonly Role[] = ['ADMIN', 'BETA', 'MARKETING', 'VALIDATOR', 'SUPERUSER'];
