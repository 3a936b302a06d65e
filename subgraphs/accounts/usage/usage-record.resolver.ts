import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { badRequest } from '../../../kernel/errors.js';
import { pageRequest } from '../../../kernel/page.js';
import { DateTime, Int64 } from '../../../kernel/scalars.js';
import { requireRole, requireUser } from '../../../kernel/viewer.js';
import { User } from '../user/user.js';
import { mayRead } from '../user/user.rules.js';
import { latestUsage, listUsage, recordUsage } from './usage-record.actions.js';
import { UsageRecord, UsageRecordPage } from './usage-record.js';

/** Records on a page unless the caller says otherwise. */
const RECORDS_PER_PAGE = 50;

@Resolver(() => User)
export class UsageRecordResolver {
  @Mutation(() => UsageRecord, {
    description:
      'Records the storage an account used in a period. The same account and period again is the same record, with the newest figure. Needs the role VALIDATOR or ADMIN. Errors FORBIDDEN, NOT_FOUND.',
  })
  recordUsage(
    @Arg('accountSs58', () => String, { description: 'SS58 address of the account.' }) substrateAddress: string,
    @Arg('periodStart', () => DateTime, { description: 'When the period began, ISO 8601.' }) periodStart: Date,
    @Arg('periodEnd', () => DateTime, { description: 'When it ended, after its beginning.' }) periodEnd: Date,
    @Arg('storageBytes', () => Int64, { description: 'Bytes stored in the period, from 0.' }) storageBytes: string,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<UsageRecord> {
    requireRole(viewer, 'VALIDATOR', 'ADMIN');
    if (periodEnd <= periodStart) throw badRequest('`period_end` must be after `period_start`.');
    if (storageBytes.startsWith('-')) throw badRequest('`storage_bytes` must be at least 0.');
    return recordUsage(database, { substrateAddress, periodStart, periodEnd, storageBytes }, now());
  }

  @Query(() => UsageRecordPage, { description: 'The storage you used, by period, as validators measured it.' })
  usageRecords(
    @Arg('page', () => Int, { nullable: true, description: 'From 1, which is the default.' }) page: number | null,
    @Arg('pageSize', () => Int, { nullable: true, description: 'Default 50, at most 200.' }) pageSize: number | null,
    @Ctx() { viewer, database }: Context,
  ): Promise<UsageRecordPage> {
    return listUsage(database, requireUser(viewer).userId, pageRequest(page, pageSize, RECORDS_PER_PAGE));
  }

  @FieldResolver(() => UsageRecord, {
    nullable: true,
    description: 'Storage used in the latest period; null before the first record and for those who may not see it.',
  })
  async storageUsage(@Root() user: User, @Ctx() { viewer, database }: Context): Promise<UsageRecord | null> {
    return mayRead(viewer, user.id) ? ((await latestUsage(database, user.id)) ?? null) : null;
  }
}
