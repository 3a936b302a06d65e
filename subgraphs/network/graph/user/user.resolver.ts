import { Ctx, Directive, FieldResolver, Resolver, Root } from 'type-graphql';
import { batched, oncePerKey } from '../../../../kernel/concurrency/batched.js';
import { hasRole, requireUser, type Viewer } from '../../../../kernel/security/viewer.js';
import { OWNER_COST } from '../../../../kernel/subgraph/costs.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { NetworkContext } from '../../services.js';
import { groupsOf } from '../group/group.actions.js';
import { Group } from '../group/group.js';
import { peersOf } from '../peer/own-peers.actions.js';
import { Peer } from '../peer/peer.js';
import { loadTenant } from '../tenant/tenant.actions.js';
import { Tenant } from '../tenant/tenant.js';
import { User } from './user.js';

const isViewer = ({ id }: User, viewer: Viewer): boolean => viewer.kind === 'user' && viewer.userId === id;

const loadPeers = batched<NetworkContext, number, Peer[]>(
  oncePerKey(({ database, services, now }, userId) =>
    services.reading.take(`${userId}`, () => peersOf(database, userId, now())),
  ),
);
const loadGroups = batched<NetworkContext, number, Group[]>(
  oncePerKey(({ database }, userId) => groupsOf(database, userId)),
);

@Resolver(() => User)
export class UserResolver {
  @FieldResolver(() => Tenant, {
    nullable: true,
    description: 'The private network of the user; null until it is provisioned and when you may not see it.',
  })
  async tenant(@Root() user: User, @Ctx() context: NetworkContext): Promise<Tenant | null> {
    const { viewer } = context;
    const mayRead = isViewer(user, viewer) || hasRole(viewer, 'ADMIN');
    return mayRead ? ((await loadTenant(context, user.id)) ?? null) : null;
  }

  @FieldResolver(() => [Peer], {
    nullable: true,
    description: 'Peers of the user, oldest first; empty until the network is provisioned. Null for other users.',
  })
  async peers(@Root() user: User, @Ctx() context: NetworkContext): Promise<Peer[] | null> {
    return isViewer(user, context.viewer) ? ((await loadPeers(context, user.id)) ?? null) : null;
  }

  @FieldResolver(() => [Group], {
    nullable: true,
    description: 'Groups of the user, oldest first; empty until the network is provisioned. Null for other users.',
  })
  async groups(@Root() user: User, @Ctx() context: NetworkContext): Promise<Group[] | null> {
    return isViewer(user, context.viewer) ? ((await loadGroups(context, user.id)) ?? null) : null;
  }
}

@Resolver(() => Peer)
export class PeerOwnerResolver {
  @FieldResolver(() => User, { description: 'You, its owner.' })
  @Directive(OWNER_COST)
  owner(@Ctx() { viewer }: Context): User {
    return { id: requireUser(viewer).userId };
  }
}

@Resolver(() => Group)
export class GroupOwnerResolver {
  @FieldResolver(() => User, { description: 'You, its owner.' })
  @Directive(OWNER_COST)
  owner(@Ctx() { viewer }: Context): User {
    return { id: requireUser(viewer).userId };
  }
}
