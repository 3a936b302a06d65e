import { Arg, Args, Ctx, Directive, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { PageArguments, listSize } from '../../../../kernel/paging/page.js';
import { pageRequest } from '../../../../kernel/paging/paging.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { findAddress, listAddresses } from './substrate-address.actions.js';
import { SubstrateAddress, SubstrateAddressPage } from './substrate-address.js';

/** Default page size. */
const ADDRESSES_PER_PAGE = 50;

@Resolver()
export class SubstrateAddressResolver {
  @Directive(listSize('pageSize'))
  @Query(() => SubstrateAddressPage, { description: 'Your SS58 addresses.' })
  substrateAddresses(
    @Arg('search', () => String, {
      nullable: true,
      description: 'Returns only addresses that contain this text; case-insensitive.',
    })
    search: string | null,
    @Arg('ordering', () => String, {
      nullable: true,
      description:
        'A field name; prefix it with - for descending order. Has no effect: a user has at most one address.',
    })
    _ordering: string | null,
    @Args(() => PageArguments) { page, pageSize }: PageArguments,
    @Ctx() { viewer, database }: Context,
  ): Promise<SubstrateAddressPage> {
    const { userId } = requireUser(viewer);
    const request = pageRequest(page, pageSize, ADDRESSES_PER_PAGE);
    return listAddresses(database, userId, { ...request, search: search ?? '' });
  }

  @Query(() => SubstrateAddress, { description: 'Your SS58 address with this id. Error NOT_FOUND.' })
  substrateAddress(
    @Arg('id', () => String, { description: 'The id of the address.' }) id: string,
    @Ctx() { viewer, database }: Context,
  ): Promise<SubstrateAddress> {
    return findAddress(database, requireUser(viewer).userId, id);
  }
}
