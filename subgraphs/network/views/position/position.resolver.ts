import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { readPositions, storePositions } from './position.actions.js';
import { NodePosition, NodePositionInput } from './position.js';

@Resolver()
export class PositionResolver {
  @Query(() => [NodePosition], {
    description:
      'Where you put the nodes of your topology; others have no place yet. Error FORBIDDEN until your private network is provisioned.',
  })
  nodePositions(@Ctx() { viewer, database }: Context): Promise<NodePosition[]> {
    return readPositions(database, requireUser(viewer));
  }

  @Mutation(() => Boolean, {
    description:
      'Stores where nodes of your topology are drawn: all of them or none. `topologyChanged` then gives a new revision. Errors: FORBIDDEN until your private network is provisioned, BAD_REQUEST above 1000 positions, for a node that is named twice and for a place too far out, NOT_FOUND for a node that is not yours.',
  })
  async storeNodePositions(
    @Arg('positions', () => [NodePositionInput], { description: 'At most 1000 nodes.' })
    positions: NodePositionInput[],
    @Ctx() { viewer, database }: Context,
  ): Promise<boolean> {
    await storePositions(database, requireUser(viewer), positions);
    return true;
  }
}
