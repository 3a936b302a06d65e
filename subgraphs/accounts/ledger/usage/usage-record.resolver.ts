import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Directive,
  Field,
  FieldResolver,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { badRequest } from '../../../../kernel/errors.js';
import { PageArguments, listSize } from '../../../../kernel/paging/page.js';
import { pageRequest } from '../../../../kernel/paging/paging.js';
import { DateTime, Decimal, Int64 } from '../../../../kernel/scalars/scalars.js';
import { requirePlatform, requireServiceRole, requireUser } from '../../../../kernel/security/viewer.js';
import { refuseNoCredits } from '../transfer/transfer.rules.js';
import { User } from '../../identity/user/user.js';
import { mayRead } from '../../identity/user/user.rules.js';
import { latestUsage, listUsage, recordUsage, type Usage } from './usage-record.actions.js';
import { UsageRecord, UsageRecordPage } from './usage-record.js';

/** Default page size. */
const RECORDS_PER_PAGE = 50;

@ArgsType()
class UsageArgs {
  @Field(() => String, { description: 'SS58 address of the account.' })
  accountSs58!: string;

  @Field(() => DateTime, { description: 'Start of the period, ISO 8601.' })
  periodStart!: Date;

  @Field(() => DateTime, { description: 'End of the period, after its start.' })
  periodEnd!: Date;

  @Field(() => Int64, { description: 'Bytes stored in the period, 0 or more.' })
  storageBytes!: string;
}

@Resolver(() => User)
export class UsageRecordResolver {
  @Mutation(() => UsageRecord, {
    description:
      'Records the storage used by an account in a period. Recording the same account and period again updates the record; where the platform records its own figure for a period, that of a validator takes precedence. The record of the latest period is the summary in the user’s profile, `User.storageUsage`. Requires a service token with the role VALIDATOR or ADMIN. Errors FORBIDDEN (also for users with these roles), NOT_FOUND.',
  })
  recordUsage(
    @Args(() => UsageArgs) usage: UsageArgs,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<UsageRecord> {
    requireServiceRole(viewer, 'VALIDATOR', 'ADMIN');
    return recordUsage(database, { ...readUsage(usage), source: 'validator' }, now());
  }

  @Directive('@inaccessible')
  @Mutation(() => UsageRecord, {
    description:
      'Records measured storage, unless a validator has reported the period, and charges it once; internal. An amount that the balance does not cover becomes a debt. Errors NOT_FOUND, CONFLICT.',
  })
  recordStorageUsage(
    @Args(() => UsageArgs) usage: UsageArgs,
    @Arg('credits', () => Decimal, {
      nullable: true,
      description: 'Credits to charge, above zero; null charges nothing.',
    })
    credits: string | null,
    @Arg('reference', () => String, { description: 'Idempotency key: repeating it charges nothing more.' })
    reference: string,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<UsageRecord> {
    requirePlatform(viewer);
    const measured = { ...readUsage(usage), source: 'platform' } as const;
    if (credits == null) return recordUsage(database, measured, now());
    refuseNoCredits(credits);
    return recordUsage(database, { ...measured, charge: { credits, reference } }, now());
  }

  @Directive(listSize('pageSize'))
  @Query(() => UsageRecordPage, {
    description: 'Your storage usage by period, as measured by validators or the platform.',
  })
  usageRecords(
    @Args(() => PageArguments) { page, pageSize }: PageArguments,
    @Ctx() { viewer, database }: Context,
  ): Promise<UsageRecordPage> {
    return listUsage(database, requireUser(viewer).userId, pageRequest(page, pageSize, RECORDS_PER_PAGE));
  }

  @FieldResolver(() => UsageRecord, {
    nullable: true,
    description:
      'Storage summary: the record of the latest period. Null before the first record, or if you may not see it.',
  })
  async storageUsage(@Root() { id }: User, @Ctx() context: Context): Promise<UsageRecord | null> {
    return mayRead(context.viewer, id) ? ((await latestUsage(context, id)) ?? null) : null;
  }
}

function readUsage({ accountSs58, periodStart, periodEnd, storageBytes }: UsageArgs): Omit<Usage, 'source'> {
  if (periodEnd <= periodStart) throw badRequest('`period_end` must be after `period_start`.');
  if (storageBytes.startsWith('-')) throw badRequest('`storage_bytes` must be at least 0.');
  return { substrateAddress: accountSs58, periodStart, periodEnd, storageBytes };
}
