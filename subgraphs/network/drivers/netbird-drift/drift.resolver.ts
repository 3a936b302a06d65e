import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireRole } from '../../../../kernel/security/viewer.js';
import { listDrift } from './drift.actions.js';
import { NetworkDrift } from './drift.js';

@Resolver()
export class DriftResolver {
  @Query(() => [NetworkDrift], {
    description:
      'The latest 200 changes that others made to private networks on the NetBird server, newest first. Needs the role ADMIN.',
  })
  networkDrift(@Ctx() { viewer, database }: Context): Promise<NetworkDrift[]> {
    requireRole(viewer, 'ADMIN');
    return listDrift(database);
  }
}
