import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { hasRole, requireUser } from '../../../../kernel/security/viewer.js';
import type { NetworkContext } from '../../services.js';
import { tenantOf } from '../../graph/tenant/tenant.actions.js';
import { checkOverlap, DEFAULT_OVERLAP_HOURS } from './authority.rules.js';
import { NetworkAuthority } from './authority.js';
import { listAuthorities, rotateAuthority, tenantForRotation } from './rotation.actions.js';

@Resolver()
export class AuthorityResolver {
  @Query(() => [NetworkAuthority], {
    description:
      'The certificate authorities of your private network, newest first. Empty before the first certificate is issued. Error FORBIDDEN until your private network is provisioned.',
  })
  async networkAuthorities(@Ctx() { viewer, database, now }: NetworkContext): Promise<NetworkAuthority[]> {
    const { id } = await tenantOf(database, requireUser(viewer));
    return listAuthorities(database, id, now());
  }

  @Mutation(() => [NetworkAuthority], {
    description:
      'Creates a new certificate authority for a private network. Peers trust both authorities during the overlap. The new one starts to sign after two minutes, when every machine has received it. Machines renew their certificates automatically; holders of issued certificates are notified. Errors: BAD_REQUEST, FORBIDDEN until your private network is provisioned, NOT_FOUND, CONFLICT while two authorities overlap.',
  })
  async rotateNetworkAuthority(
    @Arg('overlapHours', () => Int, {
      defaultValue: DEFAULT_OVERLAP_HOURS,
      description:
        'Hours for which the previous authority stays trusted after the new one starts to sign: 1 to 8760. With 30 days or more, no certificate ends early.',
    })
    overlapHours: number,
    @Arg('tenantId', () => Int, {
      nullable: true,
      description: 'The private network, for administrators. Default: your own.',
    })
    tenantId: number | null,
    @Ctx() { viewer, database, services, now }: NetworkContext,
  ): Promise<NetworkAuthority[]> {
    const user = requireUser(viewer);
    checkOverlap(overlapHours);
    const isAdmin = hasRole(viewer, 'ADMIN');
    const tenant = await tenantForRotation(database, user, { tenantId: tenantId ?? undefined, isAdmin });
    const at = now();
    await rotateAuthority(database, services.secretBox, { tenant, overlapHours, now: at });
    return listAuthorities(database, tenant.id, at);
  }
}
