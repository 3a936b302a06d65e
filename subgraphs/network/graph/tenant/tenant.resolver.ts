import { Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/viewer.js';
import { countTenant, provisionTenant, tenantOf } from './tenant.actions.js';
import { Tenant, TenantCounts } from './tenant.js';

@Resolver(() => Tenant)
export class TenantResolver {
  @Query(() => Tenant, { description: 'Your private network. Error FORBIDDEN until it is provisioned.' })
  tenant(@Ctx() { viewer, database }: Context): Promise<Tenant> {
    return tenantOf(database, requireUser(viewer));
  }

  @Mutation(() => Tenant, {
    description:
      'Makes your private network with a default group, a network and a managed policy; again, it is the same one.',
  })
  provisionTenant(@Ctx() { viewer, database, now }: Context): Promise<Tenant> {
    return provisionTenant(database, requireUser(viewer), now());
  }

  @FieldResolver(() => TenantCounts, { description: 'How many of each kind it holds.' })
  counts(@Root() tenant: Tenant, @Ctx() { database }: Context): Promise<TenantCounts> {
    return countTenant(database, tenant.id);
  }
}
