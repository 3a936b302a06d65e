import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { hasRole } from '../../../../kernel/viewer.js';
import { findTenant } from '../tenant/tenant.actions.js';
import { Tenant } from '../tenant/tenant.js';
import { User } from './user.js';

@Resolver(() => User)
export class UserResolver {
  @FieldResolver(() => Tenant, {
    nullable: true,
    description: 'The private network of the user; null until it is provisioned and when you may not see it.',
  })
  async tenant(@Root() { id }: User, @Ctx() { viewer, database }: Context): Promise<Tenant | null> {
    const own = viewer.kind === 'user' && viewer.userId === id;
    return own || hasRole(viewer, 'ADMIN') ? ((await findTenant(database, id)) ?? null) : null;
  }
}
