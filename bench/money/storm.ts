import { balanceOf, deliver, eventOf, intentOf, openPage, sessionOf, type OpenPage } from '../../tests/kit/payments.js';
import type { Json } from '../../tests/kit/platform.js';
import { signIn, type SignedIn } from '../../tests/kit/wallet.js';

/** Webhooks under way at a time. */
const WIDTH = 32;
/** How often the first event of a payment comes. */
const COPIES = 3;

/** A user who pays. */
export interface Payer {
  readonly user: SignedIn;
  /** Whole credits that all the payments come to. */
  readonly due: number;
  readonly pages: readonly OpenPage[];
}

/** Signs new users in, each with this many pages to pay on, of different amounts. */
export function makePayers(url: string, count: number, pagesEach: number): Promise<Payer[]> {
  return inParallel(Array.from({ length: count }), async () => {
    const user = await signIn(undefined, url);
    const amounts = Array.from({ length: pagesEach }, (_, i) => 20 + i);
    const pages: OpenPage[] = [];
    for (const amount of amounts) pages.push(await openPage(user, amount, url));
    return { user, due: amounts.reduce((sum, amount) => sum + amount, 0), pages };
  });
}

/**
 * The webhooks that tell of the payments: of each the same event three times and another event once, next to each
 * other, so that they come at once.
 */
export function webhooksOf(pages: readonly OpenPage[]): Json[] {
  return pages.flatMap((page) => {
    const event = eventOf('checkout.session.completed', sessionOf(page));
    return [...Array.from({ length: COPIES }, () => event), eventOf('payment_intent.succeeded', intentOf(page))];
  });
}

/** Sends webhooks, 32 at a time. @returns those that were not answered with 200 */
export async function storm(
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

/** What became of the users' payments. */
export interface Accounting {
  /** Users who have less than they paid for. */
  readonly lost: number;
  /** Users who have more than they paid for. */
  readonly doubled: number;
}

/** Compares the balance of every user with what was paid. */
export async function accountFor(url: string, payers: readonly Payer[]): Promise<Accounting> {
  const balances = await inParallel(payers, async ({ user, due }) => Number(await balanceOf(user, url)) - due);
  return { lost: balances.filter((more) => more < 0).length, doubled: balances.filter((more) => more > 0).length };
}

/** The work for each, 32 at a time, the results in order. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const takeTurns = async (): Promise<void> => {
    for (const [i, item] of queue) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: WIDTH }, takeTurns));
  return results;
}
