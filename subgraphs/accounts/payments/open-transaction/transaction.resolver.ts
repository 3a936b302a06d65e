import { Arg, Args, Ctx, Directive, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { PageArguments, listSize } from '../../../../kernel/paging/page.js';
import { OWNER_COST } from '../../../../kernel/subgraph/costs.js';
import { pageRequest } from '../../../../kernel/paging/paging.js';
import { Decimal } from '../../../../kernel/scalars/scalars.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { loadUser } from '../../identity/user/user.reference.js';
import { User } from '../../identity/user/user.js';
import { isSandboxChain } from '../chain/sandbox-chains.js';
import { isDepositToken } from '../chain/token.rules.js';
import { openTransaction } from './open-transaction.actions.js';
import type { AccountsContext } from '../../services.js';
import { isSimulated } from '../processor/open-processor.js';
import { queryBeforeWebhook } from '../processor-events/reconciliation.actions.js';
import { firstTransactions, listTransactions, transactionOf } from '../transaction/list.actions.js';
import { findPaid } from '../transaction/paid.actions.js';
import { Transaction, TransactionPage } from '../transaction/transaction.js';
import { readTransactionInput } from '../transaction/transaction.rules.js';

const PER_PAGE = 50;

@Resolver(() => Transaction)
export class TransactionResolver {
  @FieldResolver()
  paymentUrl(
    @Root() { id, paymentType, currency }: Transaction,
    @Ctx() { services, publicUrl }: AccountsContext,
  ): string | null {
    const chain = isDepositToken(currency) ? services.deposits.chainNameOf(currency) : undefined;
    const isSandboxed = paymentType === 'crypto' && chain !== undefined && isSandboxChain(chain);
    return isSandboxed ? `${publicUrl}/sandbox/deposit/${id}` : null;
  }

  @FieldResolver()
  async isSimulated(@Root() { id }: Transaction, @Ctx() context: AccountsContext): Promise<boolean | null> {
    return (await findPaid(context, id))?.isSimulated ?? null;
  }

  @FieldResolver()
  async received(@Root() { id }: Transaction, @Ctx() context: AccountsContext): Promise<string | null> {
    return (await findPaid(context, id))?.received ?? null;
  }

  @FieldResolver()
  async creditsGranted(@Root() { id }: Transaction, @Ctx() context: AccountsContext): Promise<string | null> {
    return (await findPaid(context, id))?.creditsGranted ?? null;
  }

  @FieldResolver(() => User, { description: 'You, its owner.' })
  @Directive(OWNER_COST)
  owner(@Ctx() context: AccountsContext): Promise<User | undefined> {
    return loadUser(context, requireUser(context.viewer).userId);
  }

  @Query(() => Boolean, {
    description:
      'True if the payment processor is the sandbox (`PAYPROC=sandbox`), which takes test money. No sign-in required.',
  })
  arePaymentsSimulated(@Ctx() { services }: AccountsContext): boolean {
    return isSimulated(services);
  }

  @Query(() => [Transaction], { description: 'Your transactions, at most 200; use transactionPage for more.' })
  async transactions(
    @Arg('search', () => String, { nullable: true, description: 'Search text: part of an id, a status, a currency, …' })
    search: string | null,
    @Arg('ordering', () => String, {
      nullable: true,
      description: 'Field name as in REST; prefix it with - for descending order. Unknown names are ignored.',
    })
    ordering: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<Transaction[]> {
    return firstTransactions(context.database, queryOf(context, search, ordering));
  }

  @Directive(listSize('pageSize'))
  @Query(() => TransactionPage, { description: 'A page of your transactions.' })
  transactionPage(
    @Arg('search', () => String, { nullable: true, description: 'Search text: part of an id, a status, a currency, …' })
    search: string | null,
    @Arg('ordering', () => String, {
      nullable: true,
      description: 'Field name as in REST; prefix it with - for descending order. Unknown names are ignored.',
    })
    ordering: string | null,
    @Args(() => PageArguments) { page, pageSize }: PageArguments,
    @Ctx() context: AccountsContext,
  ): Promise<TransactionPage> {
    const query = queryOf(context, search, ordering);
    return listTransactions(context.database, query, pageRequest(page, pageSize, PER_PAGE));
  }

  @Query(() => Transaction, { description: 'One of your transactions, with its current status. Error NOT_FOUND.' })
  async transaction(
    @Arg('id', () => String, { description: 'A UUID.' }) id: string,
    @Ctx() context: AccountsContext,
  ): Promise<Transaction> {
    const { userId } = requireUser(context.viewer);
    const { label, processor } = context.services.config.payments;
    const known = await transactionOf(context.database, { userId, label, id });
    if (processor === 'off' || known.status !== 'pending' || known.paymentType === 'crypto') return known;
    await queryBeforeWebhook(context, userId, known.id);
    return transactionOf(context.database, { userId, label, id });
  }

  @Mutation(() => Transaction, {
    description:
      'Creates a transaction. Card payments return a client secret to confirm the payment; crypto payments return a deposit address. Repeating the request within ten minutes returns the same transaction while it is pending. Errors BAD_REQUEST, FORBIDDEN for services, RATE_LIMITED above 5 new or 30 repeated ones per minute and above 20 unpaid ones in crypto, UNAVAILABLE.',
  })
  createTransaction(
    @Arg('paymentType', () => String, { description: '`payproc` or `crypto`.' }) paymentType: string,
    @Arg('amount', () => Decimal, { description: 'Amount in the currency; at least 20 US dollars in value.' })
    amount: string,
    @Arg('currency', () => String, { description: 'USD for card payments; USDC, USDT or TAO for crypto payments.' })
    currency: string,
    @Ctx() context: AccountsContext,
  ): Promise<Transaction> {
    const { userId } = requireUser(context.viewer);
    const cardPaymentTypes = ['payproc', 'stripe', context.services.config.payments.label];
    return openTransaction(
      context,
      userId,
      readTransactionInput({ paymentType, amount, currency }, [...new Set(cardPaymentTypes)]),
    );
  }
}

function queryOf({ viewer, services }: AccountsContext, search: string | null, ordering: string | null) {
  return { userId: requireUser(viewer).userId, label: services.config.payments.label, search, ordering };
}
