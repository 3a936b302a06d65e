import { Arg, Ctx, Directive, Int, Mutation, Resolver } from 'type-graphql';
import { badRequest } from '../../../../kernel/errors.js';
import { DateTime, Decimal } from '../../../../kernel/scalars.js';
import { requirePlatform } from '../../../../kernel/viewer.js';
import { refuseNoCredits } from '../ledger/ledger.rules.js';
import type { AccountsContext } from '../../services.js';
import { placeHold, releaseHold, settleHold } from './hold.actions.js';
import { CreditHold } from './hold.js';

@Resolver()
export class HoldResolver {
  @Directive('@inaccessible')
  @Mutation(() => CreditHold, {
    description:
      'Sets credits of a user aside, for other parts of the platform; the same source and reference again is the same hold. Errors PAYMENT_REQUIRED, CONFLICT, NOT_FOUND.',
  })
  placeHold(
    @Arg('userId', () => Int, { description: 'Whose credits.' }) userId: number,
    @Arg('source', () => String, { description: 'What holds them, e.g. `vm`.' }) source: string,
    @Arg('reference', () => String, { description: 'Which of them, e.g. its id.' }) reference: string,
    @Arg('credits', () => Decimal, { description: 'How many, above zero.' }) credits: string,
    @Arg('reason', () => String, { description: 'Shown in the user’s statement.' }) reason: string,
    @Arg('expiresAt', () => DateTime, { description: 'When what remains is given back by itself.' }) expiresAt: Date,
    @Ctx() { viewer, database, jobs, now }: AccountsContext,
  ): Promise<CreditHold> {
    requirePlatform(viewer);
    refuseNoCredits(credits);
    if (expiresAt <= now()) throw badRequest('`expiresAt` must lie ahead.');
    return placeHold(database, jobs, { userId, source, reference, credits, reason, expiresAt }, now());
  }

  @Directive('@inaccessible')
  @Mutation(() => CreditHold, {
    description:
      'Spends a part of a hold, once for each settlement, for other parts of the platform. Errors NOT_FOUND, CONFLICT when less remains or time is up.',
  })
  settleHold(
    @Arg('source', () => String, { description: 'Of the hold.' }) source: string,
    @Arg('reference', () => String, { description: 'Of the hold.' }) reference: string,
    @Arg('settlement', () => String, { description: 'The same again spends nothing more.' }) settlement: string,
    @Arg('credits', () => Decimal, { description: 'How many, above zero.' }) credits: string,
    @Arg('reason', () => String, {
      nullable: true,
      description: 'Shown in the user’s statement; the hold’s when left out.',
    })
    reason: string | null,
    @Arg('isLast', () => Boolean, { defaultValue: false, description: 'Whether what remains is given back.' })
    isLast: boolean,
    @Ctx() { viewer, database, now }: AccountsContext,
  ): Promise<CreditHold> {
    requirePlatform(viewer);
    refuseNoCredits(credits);
    return settleHold(database, { source, reference, settlement, credits, reason: reason ?? undefined, isLast }, now());
  }

  @Directive('@inaccessible')
  @Mutation(() => CreditHold, {
    description: 'Gives back what remains of a hold, for other parts of the platform. Error NOT_FOUND.',
  })
  releaseHold(
    @Arg('source', () => String, { description: 'Of the hold.' }) source: string,
    @Arg('reference', () => String, { description: 'Of the hold.' }) reference: string,
    @Ctx() { viewer, database, now }: AccountsContext,
  ): Promise<CreditHold> {
    requirePlatform(viewer);
    return releaseHold(database, { source, reference }, now());
  }
}
