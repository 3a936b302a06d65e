import { Arg, Ctx, Directive, Int, Mutation, Resolver } from 'type-graphql';
import { badRequest } from '../../../../kernel/errors.js';
import { DateTime, Decimal } from '../../../../kernel/scalars/scalars.js';
import { requirePlatform } from '../../../../kernel/security/viewer.js';
import { refuseNoCredits } from '../transfer/transfer.rules.js';
import type { AccountsContext } from '../../services.js';
import { placeHold, releaseHold, settleHold } from './hold.actions.js';
import { CreditHold } from './hold.js';

@Resolver()
export class HoldResolver {
  @Directive('@inaccessible')
  @Mutation(() => CreditHold, {
    description:
      'Reserves credits of a user; internal. Repeating the same source and reference returns the same hold. Errors PAYMENT_REQUIRED, CONFLICT, NOT_FOUND.',
  })
  placeHold(
    @Arg('userId', () => Int, { description: 'The user who owns the credits.' }) userId: number,
    @Arg('source', () => String, { description: 'The kind of object that reserves the credits, e.g. `vm`.' })
    source: string,
    @Arg('reference', () => String, { description: 'The id of that object.' }) reference: string,
    @Arg('credits', () => Decimal, { description: 'Number of credits, above zero.' }) credits: string,
    @Arg('reason', () => String, { description: 'Reason shown in the user’s statement.' }) reason: string,
    @Arg('expiresAt', () => DateTime, { description: 'When the remaining credits are released automatically.' })
    expiresAt: Date,
    @Ctx() { viewer, database, jobs, now }: AccountsContext,
  ): Promise<CreditHold> {
    requirePlatform(viewer);
    refuseNoCredits(credits);
    if (expiresAt <= now()) throw badRequest('`expiresAt` must be in the future.');
    return placeHold(database, jobs, { userId, source, reference, credits, reason, expiresAt }, now());
  }

  @Directive('@inaccessible')
  @Mutation(() => CreditHold, {
    description:
      'Spends part of a hold, once per settlement; internal. Errors NOT_FOUND, CONFLICT if fewer credits remain or the hold has expired.',
  })
  settleHold(
    @Arg('source', () => String, { description: 'The id of the hold.' }) source: string,
    @Arg('reference', () => String, { description: 'The id of the hold.' }) reference: string,
    @Arg('settlement', () => String, { description: 'Idempotency key: repeating it spends nothing more.' })
    settlement: string,
    @Arg('credits', () => Decimal, { description: 'Number of credits, above zero.' }) credits: string,
    @Arg('reason', () => String, {
      nullable: true,
      description: 'Reason shown in the user’s statement; default: the reason of the hold.',
    })
    reason: string | null,
    @Arg('isLast', () => Boolean, { defaultValue: false, description: 'Whether to release the remaining credits.' })
    isLast: boolean,
    @Ctx() { viewer, database, now }: AccountsContext,
  ): Promise<CreditHold> {
    requirePlatform(viewer);
    refuseNoCredits(credits);
    return settleHold(database, { source, reference, settlement, credits, reason: reason ?? undefined, isLast }, now());
  }

  @Directive('@inaccessible')
  @Mutation(() => CreditHold, {
    description: 'Releases the remaining credits of a hold; internal. Error NOT_FOUND.',
  })
  releaseHold(
    @Arg('source', () => String, { description: 'The id of the hold.' }) source: string,
    @Arg('reference', () => String, { description: 'The id of the hold.' }) reference: string,
    @Ctx() { viewer, database, now }: AccountsContext,
  ): Promise<CreditHold> {
    requirePlatform(viewer);
    return releaseHold(database, { source, reference }, now());
  }
}
