import { Arg, Args, ArgsType, Ctx, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { createNetwork, deleteNetwork, listNetworks } from './network.actions.js';
import { Network } from './network.js';

@ArgsType()
class NewNetworkArgs {
  @Field(() => String, { description: '1 to 128 characters, unique among your networks.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Description of the network, up to 512 characters.' })
  description?: string | null;
}

@Resolver(() => Network)
export class NetworkResolver {
  @Query(() => [Network], {
    description:
      'Your networks, oldest first; the default network is the first. Error FORBIDDEN until your private network is provisioned.',
  })
  networks(@Ctx() { viewer, database }: Context): Promise<Network[]> {
    return listNetworks(database, requireUser(viewer));
  }

  @Mutation(() => Network, {
    description:
      'Creates a network. Errors: BAD_REQUEST for its fields, FORBIDDEN until your private network is provisioned, CONFLICT when the name is taken.',
  })
  createNetwork(
    @Args(() => NewNetworkArgs) input: NewNetworkArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Network> {
    return createNetwork(database, { viewer: requireUser(viewer), now: now() }, input);
  }

  @Mutation(() => Boolean, {
    description:
      'Deletes a network with its resources and routers. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND, CONFLICT for the default network.',
  })
  async deleteNetwork(
    @Arg('id', () => Int, { description: 'The network.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<boolean> {
    await deleteNetwork(database, { viewer: requireUser(viewer), now: now() }, id);
    return true;
  }
}
