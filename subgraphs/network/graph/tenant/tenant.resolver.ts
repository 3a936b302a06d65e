import { Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { NetworkContext } from '../../services.js';
import { loadCounts, provisionTenant, tenantOf } from './tenant.actions.js';
import { Tenant, TenantCounts } from './tenant.js';

@Resolver(() => Tenant)
export class TenantResolver {
  @Query(() => Tenant, { description: 'Your private network. Error FORBIDDEN until it is provisioned.' })
  tenant(@Ctx() { viewer, database }: Context): Promise<Tenant> {
    return tenantOf(database, requireUser(viewer));
  }

  @Mutation(() => Tenant, {
    description:
      'Creates your private network with a default group, a network and a managed policy. Safe to repeat. Refused with status 503 when the lighthouses have no UDP port left.',
  })
  provisionTenant(@Ctx() { viewer, database, services, now }: NetworkContext): Promise<Tenant> {
    return provisionTenant(database, requireUser(viewer), { lastRange: services.lastRange, now: now() });
  }

  @FieldResolver(() => TenantCounts, { description: 'The number of objects of each type.' })
  counts(@Root() { id }: Tenant, @Ctx() context: Context): Promise<TenantCounts | undefined> {
    return loadCounts(context, id);
  }
}
