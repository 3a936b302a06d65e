import {
  balanceOf,
  deliver,
  eventOf,
  intentOf,
  openPage,
  sessionOf,
  type OpenPage,
} from '../../tests/kit/payments/payments.js';
import type { Json } from '../../tests/kit/platform.js';
import { signIn, type SignedIn } from '../../tests/kit/accounts/wallet.js';

/** Concurrent webhooks. */
const CONCURRENCY = 32;
/** How often the first event of a payment is sent. */
const COPIES = 3;

/** A user who pays. */
export interface Payer {
  readonly user: SignedIn;
  /** Sum of all payments in whole credits. */
  readonly due: number;
  readonly pages: readonly OpenPage[];
}

/** Signs in new users and opens payment pages with different amounts for each. */
export function createPayers(url: string, count: number, pagesEach: number): Promise<Payer[]> {
  return inParallel(Array.from({ length: count }), async () => {
    const user = await signIn(undefined, url);
    const amounts = Array.from({ length: pagesEach }, (_, i) => 20 + i);
    const pages: OpenPage[] = [];
    for (const amount of amounts) pages.push(await openPage(user, amount, url));
    return { user, due: amounts.reduce((sum, amount) => sum + amount, 0), pages };
  });
}

/**
 * Returns the webhooks of the payments: for each payment three copies of one event and one other event, next to each
 * other, so that they arrive at the same time.
 */
export function webhooksFor(pages: readonly OpenPage[]): Json[] {
  return pages.flatMap((page) => {
    const event = eventOf('checkout.session.completed', sessionOf(page));
    return [...Array.from({ length: COPIES }, () => event), eventOf('payment_intent.succeeded', intentOf(page))];
  });
}

/** Sends webhooks, 32 at a time. @returns those whose response was not 200 */
export async function deliverAll(
  url: string,
  webhooks: readonly Json[],
  onAnswer: (answered: number) => void = () => undefined,
): Promise<Json[]> {
  let answered = 0;
  const unanswered: Json[] = [];
  await inParallel(webhooks, async (event) => {
    const status = await deliver(event, { url }).then(
      (reply) => reply.status,
      () => undefined,
    );
    if (status === 200) onAnswer(++answered);
    else unanswered.push(event);
  });
  return unanswered;
}

/** The result of the payments. */
export interface PaymentResult {
  /** Users with fewer credits than they paid for. */
  readonly lost: number;
  /** Users with difference credits than they paid for. */
  readonly doubled: number;
}

/** Compares the balance of every user with the payments. */
export async function comparePayments(url: string, payers: readonly Payer[]): Promise<PaymentResult> {
  const balances = await inParallel(payers, async ({ user, due }) => Number(await balanceOf(user, url)) - due);
  return {
    lost: balances.filter((difference) => difference < 0).length,
    doubled: balances.filter((difference) => difference > 0).length,
  };
}

/** Does the work for each item, 32 at a time. Returns the results in order. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const run = async (): Promise<void> => {
    for (const [i, item] of queue) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, run));
  return results;
}
