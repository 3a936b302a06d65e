import { Arg, Args, ArgsType, Ctx, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { createRouter, deleteRouter, listRouters } from './router.actions.js';
import { Router } from './router.js';

@ArgsType()
class NewRouterArgs {
  @Field(() => Int, { description: 'One of your networks.' })
  networkId!: number;

  @Field(() => Int, { description: 'One of your peers.' })
  peerId!: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether packets to resources get the router’s address as their source. Default: true.',
  })
  masquerade?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description: '1 to 9999; the router with the lowest metric is used. Default: 9999.',
  })
  metric?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the router is in effect. Default: true.' })
  enabled?: boolean | null;
}

@ArgsType()
class RouterArgs {
  @Field(() => Int, { description: 'One of your networks.' })
  networkId!: number;

  @Field(() => Int, { description: 'The router.' })
  id!: number;
}

@Resolver(() => Router)
export class RouterResolver {
  @Query(() => [Router], {
    description:
      'The routers of a network, oldest first. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.',
  })
  routers(
    @Arg('networkId', () => Int, { description: 'One of your networks.' }) networkId: number,
    @Ctx() { viewer, database }: Context,
  ): Promise<Router[]> {
    return listRouters(database, requireUser(viewer), networkId);
  }

  @Mutation(() => Router, {
    description:
      'Makes a peer a router of a network. Errors: BAD_REQUEST for the metric and for a peer that is not yours, FORBIDDEN until your private network is provisioned, NOT_FOUND for the network, CONFLICT when the peer is already a router of the network, when it is the holder of a certificate, and when the private network would have more than 500 routers or 20,000 routes.',
  })
  async createRouter(
    @Args(() => NewRouterArgs) input: NewRouterArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Router> {
    return createRouter(database, { viewer: requireUser(viewer), now: now() }, input);
  }

  @Mutation(() => Boolean, {
    description:
      'Deletes a router; its peer remains. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.',
  })
  async deleteRouter(
    @Args(() => RouterArgs) { networkId, id }: RouterArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<boolean> {
    await deleteRouter(database, { viewer: requireUser(viewer), now: now() }, { networkId, id });
    return true;
  }
}
