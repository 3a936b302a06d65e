import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { hasRole, type Viewer } from '../../../../kernel/security/viewer.js';
import type { NetworkContext } from '../../services.js';
import { groupsOf } from '../group/group.actions.js';
import { Group } from '../group/group.js';
import { peersOf } from '../peer/own-peers.actions.js';
import { Peer } from '../peer/peer.js';
import { findTenant } from '../tenant/tenant.actions.js';
import { Tenant } from '../tenant/tenant.js';
import { User } from './user.js';

const isViewer = ({ id }: User, viewer: Viewer): boolean => viewer.kind === 'user' && viewer.userId === id;

@Resolver(() => User)
export class UserResolver {
  @FieldResolver(() => Tenant, {
    nullable: true,
    description: 'The private network of the user; null until it is provisioned and when you may not see it.',
  })
  async tenant(@Root() user: User, @Ctx() { viewer, database }: NetworkContext): Promise<Tenant | null> {
    const mayRead = isViewer(user, viewer) || hasRole(viewer, 'ADMIN');
    return mayRead ? ((await findTenant(database, user.id)) ?? null) : null;
  }

  @FieldResolver(() => [Peer], {
    nullable: true,
    description: 'Peers of the user, oldest first; empty until the network is provisioned. Null for other users.',
  })
  async peers(@Root() user: User, @Ctx() { viewer, database, services, now }: NetworkContext): Promise<Peer[] | null> {
    if (!isViewer(user, viewer)) return null;
    return services.reading.take(`${user.id}`, () => peersOf(database, user.id, now()));
  }

  @FieldResolver(() => [Group], {
    nullable: true,
    description: 'Groups of the user, oldest first; empty until the network is provisioned. Null for other users.',
  })
  async groups(@Root() user: User, @Ctx() { viewer, database }: NetworkContext): Promise<Group[] | null> {
    return isViewer(user, viewer) ? groupsOf(database, user.id) : null;
  }
}
