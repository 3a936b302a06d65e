import { Ctx, Directive, FieldResolver, Query, Resolver, Root, Subscription } from 'type-graphql';
import { COMPILES } from '../costs.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { Peer } from '../../graph/peer/peer.js';
import { findPeerOfViewer } from '../../graph/peer/viewer-peers.actions.js';
import type { NetworkContext } from '../../services.js';
import { readTopology, readVersion, topologyChanges } from './topology.actions.js';
import { Topology, TopologyChange, TopologyNodeMeta } from './topology.js';

@Resolver()
export class TopologyResolver {
  @Directive(COMPILES)
  @Query(() => Topology, {
    description: 'Your private network as a graph. Error FORBIDDEN until your private network is provisioned.',
  })
  topology(@Ctx() context: NetworkContext): Promise<Topology> {
    const user = requireUser(context.viewer);
    return context.services.reading.take(`${user.userId}`, () => readTopology(context, user));
  }

  @Query(() => String, {
    description:
      'The present `version` of your topology, without reading the graph. Error FORBIDDEN until your private network is provisioned.',
  })
  topologyVersion(@Ctx() { viewer, database, now }: Context): Promise<string> {
    return readVersion(database, requireUser(viewer), now());
  }

  @Subscription(() => TopologyChange, {
    description: 'Your graph and its changes: first the whole graph, then the changes of each commit.',
    subscribe: ({ context }: { context: NetworkContext }) => topologyChanges(context),
  })
  topologyChanged(@Root() change: TopologyChange): TopologyChange {
    return change;
  }
}

@Resolver(() => TopologyNodeMeta)
export class TopologyPeerResolver {
  @FieldResolver(() => Peer, { nullable: true, description: 'Of a peer: the peer. Of a router: its peer.' })
  async peer(@Root() { peerId }: TopologyNodeMeta, @Ctx() context: Context): Promise<Peer | null> {
    return peerId == null ? null : ((await findPeerOfViewer(context, peerId)) ?? null);
  }
}
