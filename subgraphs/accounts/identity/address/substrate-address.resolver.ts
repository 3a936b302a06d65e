import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { pageRequest } from '../../../../kernel/paging.js';
import { requireUser } from '../../../../kernel/viewer.js';
import { findAddress, listAddresses } from './substrate-address.actions.js';
import { SubstrateAddress, SubstrateAddressPage } from './substrate-address.js';

/** Addresses on a page unless the caller says otherwise. */
const ADDRESSES_PER_PAGE = 50;

@Resolver()
export class SubstrateAddressResolver {
  @Query(() => SubstrateAddressPage, { description: 'Your SS58 addresses.' })
  substrateAddresses(
    @Arg('search', () => String, { nullable: true, description: 'Those that hold this text, in upper or lower case.' })
    search: string | null,
    @Arg('ordering', () => String, {
      nullable: true,
      description:
        'A field of the records, - before it to descend. There is one address at most, so it changes nothing.',
    })
    _ordering: string | null,
    @Arg('page', () => Int, { nullable: true, description: 'From 1, which is the default.' }) page: number | null,
    @Arg('pageSize', () => Int, { nullable: true, description: 'Default 50, at most 200.' }) pageSize: number | null,
    @Ctx() { viewer, database }: Context,
  ): Promise<SubstrateAddressPage> {
    const { userId } = requireUser(viewer);
    const request = pageRequest(page, pageSize, ADDRESSES_PER_PAGE);
    return listAddresses(database, userId, { ...request, search: search ?? '' });
  }

  @Query(() => SubstrateAddress, { description: 'Your SS58 address of this id. Error NOT_FOUND.' })
  substrateAddress(
    @Arg('id', () => String, { description: 'The address.' }) id: string,
    @Ctx() { viewer, database }: Context,
  ): Promise<SubstrateAddress> {
    return findAddress(database, requireUser(viewer).userId, id);
  }
}
