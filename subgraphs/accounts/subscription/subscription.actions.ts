import type { Database, Statement } from '../../../kernel/database.js';
import { notFound } from '../../../kernel/errors.js';
import { offsetOf, type PageRequest } from '../../../kernel/page.js';
import type { CreditSubscription, SubscriptionPage } from './subscription.js';
import { subscriptionOrder, SUBSCRIPTION_ORDERS } from './subscription.rules.js';

const COLUMNS = `s.id, s.processor_subscription_id AS "processorSubscriptionId", s.user_id AS "userId",
  u.substrate_address AS "substrateAddress", s.status, coalesce(p.name, '') AS "planName", s.price_id AS "priceId",
  coalesce(p.cents / 100.0, 0)::float8 AS amount, coalesce(p.currency, 'usd') AS currency,
  coalesce(p."interval", 'month') AS interval, coalesce(p.interval_count, 1) AS "intervalCount",
  coalesce(p.credits, 0) AS "creditsPerBilling", s.current_period_start AS "currentPeriodStart",
  s.current_period_end AS "currentPeriodEnd", s.cancel_at_period_end AS "cancelAtPeriodEnd",
  s.created_at AS "createdAt", s.updated_at AS "updatedAt", s.ended_at AS "endedAt"`;
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
const PAGES = new Map<string, Statement>(
  SUBSCRIPTION_ORDERS.map((order) => {
    const ORDER = order.startsWith('-') ? `s.${order.slice(1)} DESC NULLS LAST` : `s.${order} NULLS LAST`;
    const text = `SELECT ${COLUMNS} FROM ${MATCHING} ORDER BY ${ORDER}, s.id LIMIT $4 OFFSET $5`;
    return [order, { name: `subscription-page-${order}`, text }];
  }),
);

/** Which subscriptions. */
export interface SubscriptionQuery {
  readonly status: string | null | undefined;
  readonly processorSubscriptionId: string | null | undefined;
  readonly search: string | null | undefined;
  readonly ordering: string | null | undefined;
}

/** The user's subscription that runs, if there is one. */
export async function activeSubscription(database: Database, userId: number): Promise<CreditSubscription | undefined> {
  const [subscription] = await database.rows<CreditSubscription>(ACTIVE, [userId]);
  return subscription;
}

/** A subscription of anyone. @throws NOT_FOUND */
export async function subscriptionById(database: Database, id: number): Promise<CreditSubscription> {
  const [subscription] = await database.rows<CreditSubscription>(BY_ID, [id]);
  if (!subscription) throw notFound('There is no such subscription.');
  return subscription;
}

/** Subscriptions of all, a page of them. */
export async function listSubscriptions(
  database: Database,
  query: SubscriptionQuery,
  request: PageRequest,
): Promise<SubscriptionPage> {
  const page = PAGES.get(subscriptionOrder(query.ordering));
  if (!page) throw new Error('an order without a statement');
  const values = [query.status ?? null, query.processorSubscriptionId ?? null, query.search ?? ''];
  const [results, [total]] = await Promise.all([
    database.rows<CreditSubscription>(page, [...values, request.pageSize, offsetOf(request)]),
    database.rows<{ count: number }>(COUNT, values),
  ]);
  return { ...request, count: total?.count ?? 0, results };
}
