import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
import type { Tables } from '../../entities.js';
import type { CreditSubscription, SubscriptionPage } from './subscription.js';
import { SUBSCRIPTION_FIELDS, subscriptionOrder, type SubscriptionOrder } from './subscription.rules.js';

const joinSubscriptions = (db: Tables) =>
  db
    .selectFrom('subscription as s')
    .innerJoin('user as u', 'u.id', 's.userId')
    .leftJoin('plan as p', 'p.priceId', 's.priceId');

const selectSubscriptions = (db: Tables) =>
  joinSubscriptions(db).select([
    ...(['s.id', 's.processorSubscriptionId', 's.userId', 'u.substrateAddress', 's.status', 's.priceId'] as const),
    sql<string>`coalesce(p.name, '')`.as('planName'),
    sql<number>`coalesce(p.cents / 100.0, 0)::float8`.as('amount'),
    sql<string>`coalesce(p.currency, 'usd')`.as('currency'),
    sql<string>`coalesce(p."interval", 'month')`.as('interval'),
    sql<number>`coalesce(p.interval_count, 1)`.as('intervalCount'),
    sql<number>`coalesce(p.credits, 0)`.as('creditsPerBilling'),
    ...(['s.currentPeriodStart', 's.currentPeriodEnd', 's.cancelAtPeriodEnd'] as const),
    ...(['s.createdAt', 's.updatedAt', 's.endedAt'] as const),
  ]);

interface Search {
  readonly status: string | null;
  readonly processorSubscriptionId: string | null;
  readonly search: string;
}

const matches = ({ status, processorSubscriptionId, search }: Search) =>
  sql<boolean>`(${status}::text IS NULL OR s.status = ${status})
    AND (${processorSubscriptionId}::text IS NULL OR s.processor_subscription_id = ${processorSubscriptionId})
    AND (${search}::text = '' OR position(lower(${search}) IN lower(concat_ws(' ', s.processor_subscription_id, s.status,
      p.name, s.price_id, u.username, u.email, u.substrate_address))) > 0)`;

const ACTIVE = query('subscription-active', (db: Tables, value: { userId: number }) =>
  selectSubscriptions(db)
    .where('s.userId', '=', value.userId)
    .where('s.status', 'in', ['active', 'trialing', 'past_due'])
    .orderBy(sql`s.status = 'past_due'`)
    .orderBy('s.id', 'desc')
    .limit(1),
);
const BY_ID = query('subscription-by-id', (db: Tables, value: { id: number }) =>
  selectSubscriptions(db).where('s.id', '=', value.id),
);
const COUNT = query('subscription-count', (db: Tables, value: Search) =>
  joinSubscriptions(db)
    .select(sql<number>`count(*)::integer`.as('count'))
    .where(matches(value)),
);

/** One statement for each sort order, because ORDER BY cannot be a parameter. */
const PAGES = new Map(
  SUBSCRIPTION_FIELDS.flatMap((field) =>
    [true, false].map((isDown) => [nameOf({ field, isDown }), pageBy(field, isDown)]),
  ),
);

function pageBy(field: SubscriptionOrder['field'], isDown: boolean) {
  return query(nameOf({ field, isDown }), (db: Tables, value: Search & { limit: number; offset: number }) =>
    selectSubscriptions(db)
      .where(matches(value))
      .orderBy(sql.raw(`"${propertyOf(field)}"`), (by) => (isDown ? by.desc() : by.asc()).nullsLast())
      .orderBy('s.id')
      .limit(value.limit)
      .offset(value.offset),
  );
}

function nameOf({ field, isDown }: SubscriptionOrder): string {
  return `subscription-page-${field}-${isDown}`;
}

/** The property of a subscription for a REST field name. */
function propertyOf(field: string): string {
  return field.replace('payproc_', 'processor_').replace(/_(\w)/g, (_, email: string) => email.toUpperCase());
}

/** Filters of a list. */
export interface SubscriptionQuery {
  readonly status: string | null | undefined;
  readonly processorSubscriptionId: string | null | undefined;
  readonly search: string | null | undefined;
  readonly ordering: string | null | undefined;
}

/** The user's active subscription, if any. */
export async function activeSubscription(database: Database, userId: number): Promise<CreditSubscription | undefined> {
  const [subscription] = await database.run(ACTIVE, { userId });
  return subscription;
}

/** A subscription of any user. @throws NOT_FOUND */
export async function subscriptionById(database: Database, id: number): Promise<CreditSubscription> {
  const [subscription] = await database.run(BY_ID, { id });
  if (!subscription) throw notFound('There is no such subscription.');
  return subscription;
}

/** A page of all subscriptions. */
export async function listSubscriptions(
  database: Database,
  filters: SubscriptionQuery,
  request: PageRequest,
): Promise<SubscriptionPage> {
  const page = PAGES.get(nameOf(subscriptionOrder(filters.ordering)));
  if (!page) throw new Error('an order without a statement');
  const { status = null, processorSubscriptionId = null } = filters;
  const search = { status, processorSubscriptionId, search: filters.search ?? '' };
  const [results, [total]] = await Promise.all([
    database.run(page, { ...search, limit: request.pageSize, offset: offsetOf(request) }),
    database.run(COUNT, search),
  ]);
  return { ...request, count: total?.count ?? 0, results };
}
