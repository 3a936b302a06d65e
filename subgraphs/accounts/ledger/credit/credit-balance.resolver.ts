import { Arg, Args, Ctx, Directive, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import { inState } from '../../../../kernel/events/sources/states.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { badRequest, forbidden } from '../../../../kernel/errors.js';
import { PageArguments, listSize } from '../../../../kernel/paging/page.js';
import { pageRequest } from '../../../../kernel/paging/paging.js';
import { Decimal } from '../../../../kernel/scalars/scalars.js';
import {
  hasRole,
  requirePlatform,
  requireRole,
  requireSignedIn,
  requireUser,
} from '../../../../kernel/security/viewer.js';
import { UserKeyArguments, userKeyOf } from '../../identity/user/user-key.js';
import type { AccountsContext } from '../../services.js';
import { balanceOfAddress, balanceOfUser, grantCredits, listBalances } from './credit-balance.actions.js';
import { balanceTopic } from '../transfer/transfer.actions.js';
import { refuseNoCredits } from '../transfer/transfer.rules.js';
import { CreditBalance, CreditBalancePage } from './credit-balance.js';

/** Default page size. */
const BALANCES_PER_PAGE = 50;

@Resolver()
export class CreditBalanceResolver {
  @Query(() => CreditBalance, {
    description:
      'Your balance. Validators and administrators can pass the address of another account. Errors FORBIDDEN, NOT_FOUND.',
  })
  creditBalance(
    @Arg('substrateAddress', () => String, {
      nullable: true,
      description: 'SS58 address of the account; default: your account.',
    })
    substrateAddress: string | null,
    @Ctx() { viewer, database }: Context,
  ): Promise<CreditBalance> {
    if (substrateAddress == null) return balanceOfUser(database, requireUser(viewer).userId);
    requireSignedIn(viewer);
    const own = viewer.kind === 'user' && viewer.substrateAddress === substrateAddress;
    if (!own && !hasRole(viewer, 'VALIDATOR') && !hasRole(viewer, 'ADMIN')) {
      throw forbidden('Only validators and administrators can read the balance of another account.');
    }
    return balanceOfAddress(database, substrateAddress);
  }

  @Directive(listSize('pageSize'))
  @Query(() => CreditBalancePage, {
    description:
      'The balances of all accounts with an SS58 address. Requires the role VALIDATOR or ADMIN, else FORBIDDEN.',
  })
  creditBalances(
    @Args(() => PageArguments) { page, pageSize }: PageArguments,
    @Ctx() { viewer, database }: Context,
  ): Promise<CreditBalancePage> {
    requireRole(viewer, 'VALIDATOR', 'ADMIN');
    return listBalances(database, pageRequest(page, pageSize, BALANCES_PER_PAGE));
  }

  @Directive('@inaccessible')
  @Query(() => CreditBalance, { description: 'The balance of a user; internal.' })
  creditBalanceOfUser(
    @Arg('userId', () => Int, { description: 'The user.' }) userId: number,
    @Ctx() { viewer, database }: Context,
  ): Promise<CreditBalance> {
    requirePlatform(viewer);
    return balanceOfUser(database, userId);
  }

  @Mutation(() => CreditBalance, {
    description:
      'Grants credits to an account, whose balance must not rise above 50000000000000000000. Requires the role ADMIN. Errors BAD_REQUEST, NOT_FOUND, CONFLICT for an idempotency key of another grant.',
  })
  adminGrantCredits(
    @Args(() => UserKeyArguments) user: UserKeyArguments,
    @Arg('credits', () => Decimal, { description: 'Number of credits, above zero.' }) credits: string,
    @Arg('reason', () => String, { description: 'Reason shown in the user’s statement.' }) reason: string,
    @Arg('idempotencyKey', () => String, {
      nullable: true,
      description: 'Repeating a request with the same key grants nothing more.',
    })
    idempotencyKey: string | null,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<CreditBalance> {
    requireRole(viewer, 'ADMIN');
    refuseNoCredits(credits);
    checkGrant(reason, idempotencyKey);
    return grantCredits(database, { user: userKeyOf(user), credits, reason, key: idempotencyKey ?? undefined }, now());
  }

  @Subscription(() => CreditBalance, {
    description: 'Your balance: the current value first, then every change.',
    subscribe: ({ context }: { context: AccountsContext }) => balanceChanges(context),
  })
  creditBalanceChanged(@Root() balance: CreditBalance): CreditBalance {
    return balance;
  }
}

function checkGrant(reason: string, key: string | null | undefined): void {
  if (reason.trim() === '' || reason.length > 500) throw badRequest('`reason` must have 1 to 500 characters.');
  if (key != null && (key === '' || key.length > 200))
    throw badRequest('`idempotencyKey` must have 1 to 200 characters.');
}

/** All subscribers of a user share the reads. */
async function* balanceChanges(context: AccountsContext): AsyncGenerator<CreditBalance> {
  const { viewer, database, events, services, signal } = context;
  const { userId } = requireUser(viewer);
  const { topic } = balanceTopic(userId);
  const read = () => balanceOfUser(database, userId);
  for await (const balance of services.balances.follow({ topic, events, read, signal }))
    yield inState(balance, JSON.stringify(balance));
}
