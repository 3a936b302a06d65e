import { Ctx, Directive, FieldResolver, Resolver, Root } from 'type-graphql';
import { OWNER_COST } from '../../../../kernel/subgraph/costs.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { Group } from '../group/group.js';
import { findGroupOfViewer } from '../group/viewer-groups.actions.js';
import { Peer } from '../peer/peer.js';
import { findPeerOfViewer } from '../peer/viewer-peers.actions.js';
import { peerIdsOfGroup } from './member-links.actions.js';

@Resolver(() => Group)
export class GroupPeersResolver {
  @Directive(OWNER_COST)
  @FieldResolver(() => [Peer], { description: 'Your peers in the group, oldest first.' })
  async peers(@Root() { id }: Group, @Ctx() context: Context): Promise<Peer[]> {
    const ids = (await peerIdsOfGroup(context, id)) ?? [];
    return present(await Promise.all(ids.map((peer) => findPeerOfViewer(context, peer))));
  }
}

@Resolver(() => Peer)
export class PeerGroupsResolver {
  @Directive('@cost(weight: 10)')
  @FieldResolver(() => [Group], { description: 'Your groups that contain the peer, as `groups` has their ids.' })
  async memberOf(@Root() { groups }: Peer, @Ctx() context: Context): Promise<Group[]> {
    return present(await Promise.all(groups.map((group) => findGroupOfViewer(context, group))));
  }
}

function present<Row>(rows: readonly (Row | undefined)[]): Row[] {
  return rows.filter((row) => row !== undefined);
}
