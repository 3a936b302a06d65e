import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { pageRequest } from '../../../../kernel/paging.js';
import { requireRole, requireUser } from '../../../../kernel/viewer.js';
import type { AccountsContext } from '../../services.js';
import { depositOf, listAddresses, watchDeposits } from './deposit.actions.js';
import { Deposit, DepositAddressPage, DepositWatch } from './deposit.js';

/** Addresses on a page unless the caller says otherwise. */
const ADDRESSES_PER_PAGE = 50;

@Resolver()
export class DepositResolver {
  @Query(() => Deposit, { description: 'What is behind one of your transactions in crypto. Error NOT_FOUND.' })
  deposit(
    @Arg('transactionId', () => ID, { description: 'The transaction.' }) transactionId: string,
    @Ctx() context: AccountsContext,
  ): Promise<Deposit> {
    return depositOf(context, requireUser(context.viewer).userId, transactionId);
  }

  @Query(() => DepositAddressPage, {
    description:
      'Addresses that were given out, so that the operator can move on what they hold. Needs the role ADMIN.',
  })
  adminDepositAddresses(
    @Arg('isPaid', () => Boolean, { nullable: true, description: 'Only those that something was paid to.' })
    isPaid: boolean | null,
    @Arg('page', () => Int, { nullable: true, description: 'From 1, which is the default.' }) page: number | null,
    @Arg('pageSize', () => Int, { nullable: true, description: 'Default 50, at most 200.' }) pageSize: number | null,
    @Ctx() { viewer, database }: AccountsContext,
  ): Promise<DepositAddressPage> {
    requireRole(viewer, 'ADMIN');
    return listAddresses(database, isPaid ?? false, pageRequest(page, pageSize, ADDRESSES_PER_PAGE));
  }

  @Mutation(() => [DepositWatch], {
    description:
      'Looks for payments on every chain now instead of within the minute. Needs the role ADMIN. Error UNAVAILABLE.',
  })
  adminRunDepositWatch(@Ctx() context: AccountsContext): Promise<DepositWatch[]> {
    requireRole(context.viewer, 'ADMIN');
    return watchDeposits(context);
  }
}
