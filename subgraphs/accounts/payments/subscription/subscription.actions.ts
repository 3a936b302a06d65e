import type { Database, Statement } from '../../../../kernel/database/database.js';
import { notFound } from '../../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging.js';
import type { CreditSubscription, SubscriptionPage } from './subscription.js';
import { SUBSCRIPTION_FIELDS, subscriptionOrder, type SubscriptionOrder } from './subscription.rules.js';

/** What each field of REST is made of. */
const EXPRESSIONS: Readonly<Record<SubscriptionOrder['field'], string>> = {
  id: 's.id',
  payproc_subscription_id: 's.processor_subscription_id',
  user_id: 's.user_id',
  substrate_address: 'u.substrate_address',
  status: 's.status',
  plan_name: `coalesce(p.name, '')`,
  price_id: 's.price_id',
  amount: 'coalesce(p.cents / 100.0, 0)::float8',
  currency: `coalesce(p.currency, 'usd')`,
  interval: `coalesce(p."interval", 'month')`,
  interval_count: 'coalesce(p.interval_count, 1)',
  credits_per_billing: 'coalesce(p.credits, 0)',
  current_period_start: 's.current_period_start',
  current_period_end: 's.current_period_end',
  cancel_at_period_end: 's.cancel_at_period_end',
  created_at: 's.created_at',
  updated_at: 's.updated_at',
  ended_at: 's.ended_at',
};
const COLUMNS = SUBSCRIPTION_FIELDS.map((field) => `${EXPRESSIONS[field]} AS "${graphQLName(field)}"`).join(', ');

function graphQLName(field: string): string {
  return field.replace('payproc_', 'processor_').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const JOINED = `accounts.subscription s JOIN accounts.user u ON u.id = s.user_id
  LEFT JOIN accounts.plan p ON p.price_id = s.price_id`;
const MATCHING = `${JOINED} WHERE ($1::text IS NULL OR s.status = $1)
  AND ($2::text IS NULL OR s.processor_subscription_id = $2)
  AND ($3::text = '' OR position(lower($3) IN lower(concat_ws(' ', s.processor_subscription_id, s.status, p.name,
    s.price_id, u.username, u.email, u.substrate_address))) > 0)`;

const ACTIVE: Statement = {
  name: 'subscription-active',
  text: `SELECT ${COLUMNS} FROM ${JOINED} WHERE s.user_id = $1 AND s.status IN ('active', 'trialing', 'past_due')
          ORDER BY s.status = 'past_due', s.id DESC LIMIT 1`,
};
const BY_ID: Statement = { name: 'subscription-by-id', text: `SELECT ${COLUMNS} FROM ${JOINED} WHERE s.id = $1` };
const COUNT: Statement = { name: 'subscription-count', text: `SELECT count(*)::integer AS count FROM ${MATCHING}` };

/** One statement an order, as an order cannot be bound. */
function pageBy({ field, isDown }: SubscriptionOrder): Statement {
  const ORDER = `${EXPRESSIONS[field]} ${isDown ? 'DESC' : 'ASC'} NULLS LAST`;
  const text = `SELECT ${COLUMNS} FROM ${MATCHING} ORDER BY ${ORDER}, s.id LIMIT $4 OFFSET $5`;
  return { name: `subscription-page-${field}-${isDown}`, text };
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
  const [subscription] = await database.rows<CreditSubscription>(ACTIVE, [userId]);
  return subscription;
}

/** A subscription of any user. @throws NOT_FOUND */
export async function subscriptionById(database: Database, id: number): Promise<CreditSubscription> {
  const [subscription] = await database.rows<CreditSubscription>(BY_ID, [id]);
  if (!subscription) throw notFound('There is no such subscription.');
  return subscription;
}

/** A page of all subscriptions. */
export async function listSubscriptions(
  database: Database,
  query: SubscriptionQuery,
  request: PageRequest,
): Promise<SubscriptionPage> {
  const page = pageBy(subscriptionOrder(query.ordering));
  const values = [query.status ?? null, query.processorSubscriptionId ?? null, query.search ?? ''];
  const [results, [total]] = await Promise.all([
    database.rows<CreditSubscription>(page, [...values, request.pageSize, offsetOf(request)]),
    database.rows<{ count: number }>(COUNT, values),
  ]);
  return { ...request, count: total?.count ?? 0, results };
}
