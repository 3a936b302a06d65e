import { Ctx, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { requireUser } from '../../../kernel/viewer.js';
import type { NetworkContext } from '../services.js';
import { readTopology, topologyChanges } from './topology.actions.js';
import { Topology, TopologyChange } from './topology.js';

@Resolver()
export class TopologyResolver {
  @Query(() => Topology, { description: 'Your private network as a graph. Error FORBIDDEN until provisioned.' })
  topology(@Ctx() { viewer, database, now }: Context): Promise<Topology> {
    return readTopology(database, requireUser(viewer), now());
  }

  @Subscription(() => TopologyChange, {
    description: 'Your graph as it changes: the whole of it first, then what each commit changed.',
    subscribe: ({ context }: { context: NetworkContext }) => topologyChanges(context),
  })
  topologyChanged(@Root() change: TopologyChange): TopologyChange {
    return change;
  }
}
