import { Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { requireRole } from '../../../../kernel/security/viewer.js';
import type { AccountsContext } from '../../services.js';
import { listPublicKeys, rotateSigningKey } from './signing-key.actions.js';
import { JwkSet, SigningKey } from './signing-key.js';

@Resolver()
export class SigningKeyResolver {
  @Query(() => JwkSet, { description: 'The public keys that verify access tokens, as a JWK set. No sign-in required.' })
  async jwks(@Ctx() { database, now }: AccountsContext): Promise<JwkSet> {
    return { keys: await listPublicKeys(database, now()) };
  }

  @Mutation(() => SigningKey, {
    description: 'Rotates the signing key; existing tokens stay valid. Requires the role ADMIN.',
  })
  adminRotateSigningKey(@Ctx() { viewer, database, services, now }: AccountsContext): Promise<SigningKey> {
    requireRole(viewer, 'ADMIN');
    return rotateSigningKey(database, services.signingSecret, now());
  }
}
