import { Arg, Ctx, Directive, Int, Mutation, Resolver } from 'type-graphql';
import { Decimal } from '../../../../kernel/scalars/scalars.js';
import { requirePlatform } from '../../../../kernel/security/viewer.js';
import { CreditBalance } from './credit-balance.js';
import { balanceOfUser } from './credit-balance.actions.js';
import type { AccountsContext } from '../../services.js';
import { postTransfer } from '../transfer/transfer.actions.js';
import { refuseNoCredits } from '../transfer/transfer.rules.js';

@Resolver()
export class SpendingResolver {
  @Directive('@inaccessible')
  @Mutation(() => CreditBalance, {
    description:
      'Spends credits of a user, once per source and reference; internal. Errors PAYMENT_REQUIRED, CONFLICT, NOT_FOUND.',
  })
  async spendCredits(
    @Arg('userId', () => Int, { description: 'The user who owns the credits.' }) userId: number,
    @Arg('source', () => String, { description: 'What the credits are spent on, e.g. `vm`.' }) source: string,
    @Arg('reference', () => String, { description: 'Idempotency key: repeating it spends nothing more.' })
    reference: string,
    @Arg('credits', () => Decimal, { description: 'Number of credits, above zero.' }) credits: string,
    @Arg('reason', () => String, { description: 'Reason shown in the user’s statement.' }) reason: string,
    @Arg('link', () => String, { nullable: true, description: 'The related object; default: the reference.' })
    link: string | null,
    @Ctx() { viewer, database, now }: AccountsContext,
  ): Promise<CreditBalance> {
    requirePlatform(viewer);
    refuseNoCredits(credits);
    const transfer = { source, reference, kind: 'spending', reason, userId, credits: `-${credits}` };
    await database.change((transaction) =>
      postTransfer(transaction, link == null ? transfer : { ...transfer, link }, now()),
    );
    return balanceOfUser(database, userId);
  }
}
