import { Arg, Args, Ctx, Directive, ID, Mutation, Query, Resolver } from 'type-graphql';
import { PageArguments, listSize } from '../../../../kernel/paging/page.js';
import { pageRequest } from '../../../../kernel/paging/paging.js';
import { requireRole, requireUser } from '../../../../kernel/security/viewer.js';
import type { AccountsContext } from '../../services.js';
import { listAddresses } from './address-list.actions.js';
import { depositOf, watchDeposits } from './deposit.actions.js';
import { Deposit, DepositAddressPage, DepositWatch } from './deposit.js';

/** Default page size. */
const ADDRESSES_PER_PAGE = 50;

@Resolver()
export class DepositResolver {
  @Query(() => Deposit, { description: 'The deposit of one of your crypto transactions. Error NOT_FOUND.' })
  deposit(
    @Arg('transactionId', () => ID, { description: 'The id of the transaction.' }) transactionId: string,
    @Ctx() context: AccountsContext,
  ): Promise<Deposit> {
    return depositOf(context, requireUser(context.viewer).userId, transactionId);
  }

  @Directive(listSize('pageSize'))
  @Query(() => DepositAddressPage, {
    description: 'Deposit addresses, for the operator to collect received funds. Requires the role ADMIN.',
  })
  adminDepositAddresses(
    @Arg('isPaid', () => Boolean, {
      nullable: true,
      description: 'Whether to return only addresses that received a payment.',
    })
    isPaid: boolean | null,
    @Args(() => PageArguments) { page, pageSize }: PageArguments,
    @Ctx() { viewer, database }: AccountsContext,
  ): Promise<DepositAddressPage> {
    requireRole(viewer, 'ADMIN');
    return listAddresses(database, isPaid ?? false, pageRequest(page, pageSize, ADDRESSES_PER_PAGE));
  }

  @Mutation(() => [DepositWatch], {
    description:
      'Scans every chain for payments now instead of within a minute. Requires the role ADMIN. Error UNAVAILABLE.',
  })
  adminRunDepositWatch(@Ctx() context: AccountsContext): Promise<DepositWatch[]> {
    requireRole(context.viewer, 'ADMIN');
    return watchDeposits(context);
  }
}
