import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { hasRole, requireUser } from '../../../../kernel/viewer.js';
import type { NetworkContext } from '../../services.js';
import { tenantOf } from '../../graph/tenant/tenant.actions.js';
import { checkOverlap, DEFAULT_OVERLAP_HOURS } from './authority.rules.js';
import { NetworkAuthority } from './authority.js';
import { listAuthorities, rotateAuthority, tenantForRotation } from './rotation.actions.js';

@Resolver()
export class AuthorityResolver {
  @Query(() => [NetworkAuthority], {
    description:
      'Who signs and signed the certificates of your private network, newest first; none before the first certificate. Error FORBIDDEN until provisioned.',
  })
  async networkAuthorities(@Ctx() { viewer, database, now }: NetworkContext): Promise<NetworkAuthority[]> {
    const { id } = await tenantOf(database, requireUser(viewer));
    return listAuthorities(database, id, now());
  }

  @Mutation(() => [NetworkAuthority], {
    description:
      'Makes another authority for a private network. Both are trusted while they overlap: the new one signs two minutes later, when every machine has heard of it; machines renew their certificates by themselves, holders of certificates are told to. Errors: BAD_REQUEST, FORBIDDEN until provisioned, NOT_FOUND, CONFLICT while authorities overlap.',
  })
  async rotateNetworkAuthority(
    @Arg('overlapHours', () => Int, {
      defaultValue: DEFAULT_OVERLAP_HOURS,
      description:
        'How long the one before is trusted once the new one signs: 1 to 8760; 30 days cut no certificate short.',
    })
    overlapHours: number,
    @Arg('tenantId', () => Int, { nullable: true, description: 'Whose, for administrators; yours when left out.' })
    tenantId: number | null,
    @Ctx() { viewer, database, services, now }: NetworkContext,
  ): Promise<NetworkAuthority[]> {
    const user = requireUser(viewer);
    checkOverlap(overlapHours);
    const isAdmin = hasRole(viewer, 'ADMIN');
    const tenant = await tenantForRotation(database, user, { tenantId: tenantId ?? undefined, isAdmin });
    const at = now();
    await rotateAuthority(database, services.sealer, { tenant, overlapHours, now: at });
    return listAuthorities(database, tenant.id, at);
  }
}
