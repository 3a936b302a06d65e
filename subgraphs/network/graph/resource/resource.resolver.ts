import { Arg, Args, ArgsType, Ctx, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { createResource, deleteResource, listResources, updateResource } from './resource.actions.js';
import { Resource, ResourceKindEnum } from './resource.js';
import type { ResourceKind } from '../address/address.rules.js';

@ArgsType()
class ResourceSpecArgs {
  @Field(() => Int, { description: 'One of your networks.' })
  networkId!: number;

  @Field(() => ResourceKindEnum, {
    nullable: true,
    description: 'The type of the address. Default: detected from `address`.',
  })
  kind?: ResourceKind | null;

  @Field(() => [Int], {
    nullable: true,
    description: 'The complete list of the resource’s groups. Default of a new resource: none.',
  })
  groups?: number[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the resource is in effect. Default of a new resource: true.',
  })
  enabled?: boolean | null;
}

@ArgsType()
class NewResourceArgs extends ResourceSpecArgs {
  @Field(() => String, { description: '1 to 128 characters, unique in the network.' })
  name!: string;

  @Field(() => String, {
    description: 'An IPv4 or IPv6 address, a CIDR or a domain; `*.example.com` for all subdomains.',
  })
  address!: string;
}

@ArgsType()
class ChangedResourceArgs extends ResourceSpecArgs {
  @Field(() => Int, { description: 'The resource.' })
  id!: number;

  @Field(() => String, { nullable: true, description: '1 to 128 characters, unique in the network.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'An IPv4 or IPv6 address, a CIDR or a domain.' })
  address?: string | null;
}

@ArgsType()
class ResourcePlaceArgs {
  @Field(() => Int, { description: 'One of your networks.' })
  networkId!: number;

  @Field(() => Int, { description: 'The resource.' })
  id!: number;
}

@Resolver(() => Resource)
export class ResourceResolver {
  @Query(() => [Resource], {
    description:
      'The resources of a network, oldest first. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.',
  })
  resources(
    @Arg('networkId', () => Int, { description: 'One of your networks.' }) networkId: number,
    @Ctx() { viewer, database }: Context,
  ): Promise<Resource[]> {
    return listResources(database, requireUser(viewer), networkId);
  }

  @Mutation(() => Resource, {
    description:
      'Creates a resource. Errors: BAD_REQUEST for its fields and for groups that are not yours, FORBIDDEN until your private network is provisioned, NOT_FOUND for the network, CONFLICT when the name is taken and when the private network would have more than 1,000 resources or 20,000 routes.',
  })
  async createResource(
    @Args(() => NewResourceArgs) input: NewResourceArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Resource> {
    return createResource(database, { viewer: requireUser(viewer), now: now() }, input);
  }

  @Mutation(() => Resource, {
    description:
      'Updates a resource. Omitted fields keep their values. Errors: BAD_REQUEST, FORBIDDEN until your private network is provisioned, NOT_FOUND, CONFLICT when the name is taken.',
  })
  async updateResource(
    @Args(() => ChangedResourceArgs) { id, networkId, ...input }: ChangedResourceArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<Resource> {
    const change = { viewer: requireUser(viewer), now: now() };
    return updateResource(database, change, { place: { networkId, id }, input });
  }

  @Mutation(() => Boolean, {
    description: 'Deletes a resource. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.',
  })
  async deleteResource(
    @Args(() => ResourcePlaceArgs) { networkId, id }: ResourcePlaceArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<boolean> {
    await deleteResource(database, { viewer: requireUser(viewer), now: now() }, { networkId, id });
    return true;
  }
}
