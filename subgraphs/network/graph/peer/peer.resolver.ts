import { Arg, Args, ArgsType, Ctx, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { NetworkContext } from '../../services.js';
import { deletePeer, findPeer, listPeers, updatePeer } from './own-peers.actions.js';
import { Peer } from './peer.js';

@ArgsType()
class ChangedPeerArgs {
  @Field(() => Int, { description: 'The peer.' })
  id!: number;

  @Field(() => String, {
    nullable: true,
    description: '1 to 100 characters without control characters; an empty text changes nothing.',
  })
  label?: string | null;

  @Field(() => [Int], { nullable: true, description: 'The complete list of the peer’s groups; at least one.' })
  groups?: number[] | null;
}

@Resolver(() => Peer)
export class PeerResolver {
  @Query(() => [Peer], {
    description: 'Your peers, oldest first. Error FORBIDDEN until your private network is provisioned.',
  })
  peers(@Ctx() { viewer, database, services, now }: NetworkContext): Promise<Peer[]> {
    const user = requireUser(viewer);
    return services.reading.take(`${user.userId}`, () => listPeers(database, user, now()));
  }

  @Query(() => Peer, {
    description: 'One of your peers. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.',
  })
  peer(
    @Arg('id', () => Int, { description: 'The peer.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Peer> {
    return findPeer(database, { viewer: requireUser(viewer), now: now() }, id);
  }

  @Mutation(() => Peer, {
    description:
      'Updates a peer. Omitted fields keep their values; groups are replaced. Errors: BAD_REQUEST for its fields and for groups that are not yours, FORBIDDEN until your private network is provisioned, NOT_FOUND.',
  })
  async updatePeer(
    @Args(() => ChangedPeerArgs) { id, ...input }: ChangedPeerArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Peer> {
    return updatePeer(database, { viewer: requireUser(viewer), now: now() }, { id, input });
  }

  @Mutation(() => Boolean, {
    description:
      'Deletes a peer. Each other peer refuses its certificate once it has its next configuration. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.',
  })
  async deletePeer(
    @Arg('id', () => Int, { description: 'The peer.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<boolean> {
    await deletePeer(database, { viewer: requireUser(viewer), now: now() }, id);
    return true;
  }
}
