import type { GraphQLError } from 'graphql';
import { forbidden, unauthenticated } from '../errors.js';

export const ROLES = ['VALIDATOR', 'ADMIN', 'MARKETING', 'SUPERUSER', 'BETA'] as const;
export type Role = (typeof ROLES)[number];

/** The authenticated caller. The gateway determines it once per request, and every subgraph trusts it. */
export type Viewer =
  | { readonly kind: 'anonymous' }
  | UserViewer
  | {
      readonly kind: 'service';
      readonly name: string;
      readonly tokenId: string;
      readonly expiresAt: string | null;
      readonly roles: readonly Role[];
    }
  | { readonly kind: 'platform'; readonly subgraph: string };

export interface UserViewer {
  readonly kind: 'user';
  readonly userId: number;
  readonly username: string;
  /** SS58 address; null for an administrator without a wallet. */
  readonly substrateAddress: string | null;
  readonly tokenId: string;
  /** Whether the token is the access token of a session, not an API token. */
  readonly isSession?: boolean;
  /** ISO 8601; null for a token that does not expire. */
  readonly expiresAt: string | null;
  readonly roles: readonly Role[];
}

export const ANONYMOUS: Viewer = { kind: 'anonymous' };

/** Whether the viewer holds the role; SUPERUSER implies all. */
export function hasRole(viewer: Viewer, role: Role): boolean {
  if (viewer.kind !== 'user' && viewer.kind !== 'service') return false;
  return viewer.roles.includes(role) || viewer.roles.includes('SUPERUSER');
}

/** Refuses anonymous viewers: UNAUTHENTICATED. */
export function requireSignedIn(viewer: Viewer): Exclude<Viewer, { kind: 'anonymous' }> {
  if (viewer.kind === 'anonymous') {
    throw unauthenticated('Sign in first: send an Authorization header with a valid token.');
  }
  return viewer;
}

/** Refuses viewers that are not users: UNAUTHENTICATED without a token, FORBIDDEN for services. */
export function requireUser(viewer: Viewer): UserViewer {
  const signedIn = requireSignedIn(viewer);
  if (signedIn.kind !== 'user') throw forbidden('This needs the token of a user; a service has no account here.');
  return signedIn;
}

/** Refuses viewers without any of the roles: UNAUTHENTICATED without a token, else FORBIDDEN. */
export function requireRole(viewer: Viewer, ...roles: readonly Role[]): void {
  requireSignedIn(viewer);
  if (!roles.some((role) => hasRole(viewer, role))) {
    throw forbidden(`This needs the role ${roles.join(' or ')}.`);
  }
}

/** Refuses viewers that are not services with any of the roles: UNAUTHENTICATED without a token, else FORBIDDEN. */
export function requireServiceRole(viewer: Viewer, ...roles: readonly Role[]): void {
  if (requireSignedIn(viewer).kind !== 'service') {
    throw forbidden(`This needs a service token with the role ${roles.join(' or ')}; users may not do it.`);
  }
  requireRole(viewer, ...roles);
}

/** Refuses viewers that are not beta users. Clients recognize this error by the word `beta`. */
export function requireBetaUser(viewer: Viewer): UserViewer {
  const user = requireUser(viewer);
  if (!hasRole(user, 'BETA')) throw forbidden('This is in beta: ask an administrator for beta access (the role BETA).');
  return user;
}

/**
 * Returns FORBIDDEN unless the viewer is the user with this address; also for administrators and services. Call
 * `requireSignedIn` first.
 */
export function ownerRefusal(viewer: Viewer, ownerAddress: string): GraphQLError | undefined {
  const isOwner = viewer.kind === 'user' && viewer.substrateAddress === ownerAddress;
  return isOwner ? undefined : forbidden('Your token belongs to a different SS58 address.');
}

/** Refuses viewers that are not subgraphs of the platform, which call each other by named operations. */
export function requirePlatform(viewer: Viewer): void {
  requireSignedIn(viewer);
  if (viewer.kind !== 'platform') throw forbidden('Only the platform itself may call this operation.');
}
