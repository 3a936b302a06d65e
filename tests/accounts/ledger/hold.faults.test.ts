import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { errorCode } from '../../../kernel/errors.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import {
  expireHolds,
  HOLD_EXPIRY,
  placeHold,
  releaseHold,
  settleHold,
  type Settlement,
} from '../../../subgraphs/accounts/ledger/hold/hold.actions.js';
import type { CreditHold } from '../../../subgraphs/accounts/ledger/hold/hold.js';
import { postTransfer, takeBack } from '../../../subgraphs/accounts/ledger/transfer/transfer.actions.js';
import type { AccountsRuntime } from '../../../subgraphs/accounts/services.js';
import { openLedger, transferOf, type LedgerUnderTest } from '../../kit/accounts/ledger.js';
import { until } from '../../kit/watch.js';

const HOUR_MS = 3_600_000;

let ledger: LedgerUnderTest;
let user: number;
let references = 0;
beforeAll(async () => {
  ledger = await openLedger();
}, 60_000);
afterAll(() => ledger.close());
beforeEach(async () => {
  user = await ledger.user();
  await post('10');
});

const post = (credits: string): Promise<boolean> =>
  ledger.database.change((transaction) => postTransfer(transaction, transferOf(user, credits), new Date()));
const take = (credits: string): Promise<boolean> =>
  ledger.database.change((transaction) => takeBack(transaction, transferOf(user, credits), new Date()));
const hold = (
  credits: string,
  { reference = `hold ${++references}`, expiresAt = new Date(Date.now() + HOUR_MS), userId = user } = {},
): Promise<CreditHold> =>
  placeHold(
    ledger.database,
    ledger.jobs,
    { userId, source: 'tests', reference, credits, reason: 'a test', expiresAt },
    new Date(),
  );
const settle = (reference: string, credits: string, fields: Partial<Settlement> = {}): Promise<CreditHold> =>
  settleHold(
    ledger.database,
    { source: 'tests', reference, settlement: 'first', credits, reason: undefined, isLast: false, ...fields },
    new Date(),
  );
const release = (reference: string): Promise<CreditHold> =>
  releaseHold(ledger.database, { source: 'tests', reference }, new Date());
const figures = (): Promise<object> => ledger.figures(user);

describe('placing a hold', () => {
  it('leaves the balance and sets credits aside', async () => {
    await hold('4');
    expect(await figures()).toEqual({ balance: '10', held: '4', debt: '0' });
  });

  it('refuses what the balance does not hold', async () => {
    expect(await hold('10.000000000000000001').catch(errorCode)).toBe('PAYMENT_REQUIRED');
  });

  it('keeps spending away from what is held', async () => {
    await hold('4');
    expect(await post('-6.000000000000000001').catch(errorCode)).toBe('PAYMENT_REQUIRED');
  });

  it('lets the rest be spent', async () => {
    await hold('4');
    await post('-6');
    expect(await figures()).toEqual({ balance: '4', held: '4', debt: '0' });
  });

  it('succeeds once where twenty want credits for one', async () => {
    const tried = await Promise.all(Array.from({ length: 20 }, () => hold('6').then(() => 'placed', errorCode)));
    expect([tried.filter((outcome) => outcome === 'placed').length, new Set(tried)]).toEqual([
      1,
      new Set(['placed', 'PAYMENT_REQUIRED']),
    ]);
  });

  it('of one identity twenty times at once is one hold', async () => {
    const holds = await Promise.all(Array.from({ length: 20 }, () => hold('6', { reference: `of ${user}` })));
    expect([new Set(holds.map(({ id }) => id)).size, await figures()]).toEqual([
      1,
      { balance: '10', held: '6', debt: '0' },
    ]);
  });

  it('refuses an identity that stood for other credits', async () => {
    await hold('6', { reference: `of ${user}` });
    expect(await hold('5', { reference: `of ${user}` }).catch(errorCode)).toBe('CONFLICT');
  });

  it('knows who has no account', async () => {
    expect(await hold('1', { userId: 2 ** 31 - 1 }).catch(errorCode)).toBe('NOT_FOUND');
  });
});

describe('settling a hold', () => {
  const reference = (): string => `settled of ${user}`;
  beforeEach(() => hold('6', { reference: reference() }));

  it('spends a part', async () => {
    const { settled, remaining, state } = await settle(reference(), '2');
    expect({ settled, remaining, state, ...(await figures()) }).toEqual({
      settled: '2',
      remaining: '4',
      state: 'open',
      balance: '8',
      held: '4',
      debt: '0',
    });
  });

  it('spends the same settlement once of twenty at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => settle(reference(), '2')));
    expect(await figures()).toEqual({ balance: '8', held: '4', debt: '0' });
  });

  it('spends other settlements as far as the hold reaches', async () => {
    const tried = await Promise.all(
      Array.from({ length: 20 }, (_, i) => settle(reference(), '2', { settlement: `${i}` }).catch(errorCode)),
    );
    expect([tried.filter((outcome) => outcome === 'CONFLICT').length, await figures()]).toEqual([
      17,
      { balance: '4', held: '0', debt: '0' },
    ]);
  });

  it('closes a hold that is spent', async () => {
    expect(await settle(reference(), '6')).toMatchObject({ state: 'settled', remaining: '0' });
  });

  it('repeats a settlement of a closed hold', async () => {
    await settle(reference(), '6');
    expect(await settle(reference(), '6')).toMatchObject({ state: 'settled', settled: '6' });
  });

  it('refuses a settlement that stood for other credits', async () => {
    await settle(reference(), '2');
    expect(await settle(reference(), '3').catch(errorCode)).toBe('CONFLICT');
  });

  it('gives back the rest with the last', async () => {
    await settle(reference(), '2', { isLast: true });
    expect(await figures()).toEqual({ balance: '8', held: '0', debt: '0' });
  });

  it('refuses more than remains', async () => {
    expect(await settle(reference(), '6.000000000000000001').catch(errorCode)).toBe('CONFLICT');
  });

  it('refuses once it is released', async () => {
    await release(reference());
    expect(await settle(reference(), '1').catch(errorCode)).toBe('CONFLICT');
  });

  it('knows no other hold', async () => {
    expect(await settle('another', '1').catch(errorCode)).toBe('NOT_FOUND');
  });
});

describe('what remains of a hold', () => {
  it('is given back once when it is released twenty times at once', async () => {
    await hold('6', { reference: `released of ${user}` });
    await Promise.all(Array.from({ length: 20 }, () => release(`released of ${user}`)));
    expect(await figures()).toEqual({ balance: '10', held: '0', debt: '0' });
  });

  it('is given back when its time is up', async () => {
    await hold('6', { reference: `late of ${user}`, expiresAt: new Date(Date.now() + 300) });
    await until(async () => (await ledger.figures(user)).held === '0');
    expect(await figures()).toEqual({ balance: '10', held: '0', debt: '0' });
  });

  it('is given back within five minutes when its job was lost', async () => {
    const { id } = await hold('6');
    const rows = (name: string, text: string) => ledger.database.rows<object>({ name, text });
    await rows('lost-of-the-tests', `DELETE FROM accounts_jobs.job WHERE singleton_key = 'hold-expiry ${id}'`);
    await rows('late-of-the-tests', `UPDATE accounts.hold SET expires_at = created_at WHERE id = '${id}'`);
    await ledger.database.change((transaction) => ledger.jobs.enqueue(transaction, 'expire-holds', {}));
    await until(async () => (await ledger.figures(user)).held === '0');
    const schedule = `SELECT cron FROM accounts_jobs.schedule WHERE key = 'expire-holds'`;
    expect(await rows('schedule-of-the-tests', schedule)).toEqual([{ cron: '*/5 * * * *' }]);
  });

  it('is not looked for by a job of another version, which names no hold', async () => {
    const runtime = { database: ledger.database, now: () => new Date() } as AccountsRuntime;
    await expect(HOLD_EXPIRY.work({}, runtime)).resolves.toBeUndefined();
  });

  it('is given back when its time is up, also beside a hold that cannot be closed', async () => {
    const expiresAt = new Date(Date.now() + HOUR_MS);
    const stuck = await hold('1', { expiresAt: new Date(expiresAt.getTime() - 1) });
    await hold('6', { expiresAt });
    await ledger.database.rows({
      name: 'refuse-of-the-tests',
      text: `CREATE FUNCTION accounts.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
    });
    await ledger.database.rows({
      name: 'stuck-of-the-tests',
      text: `CREATE TRIGGER stuck BEFORE UPDATE ON accounts.hold FOR EACH ROW
               WHEN (OLD.id = '${stuck.id}') EXECUTE FUNCTION accounts.refuse()`,
    });
    const expire = (ms: number) =>
      expireHolds({ ...ledger, log: openLog('silent', 'tests'), now: () => new Date(expiresAt.getTime() + ms) });
    await expire(-2);
    const before = await figures();
    await expire(0);
    expect([before, await figures()]).toEqual([
      { balance: '10', held: '7', debt: '0' },
      { balance: '10', held: '1', debt: '0' },
    ]);
  });

  it('is not touched by what is taken back', async () => {
    await hold('6');
    await take('10');
    expect(await figures()).toEqual({ balance: '6', held: '6', debt: '6' });
  });

  it('pays the debt when it is given back', async () => {
    await hold('6', { reference: `owing of ${user}` });
    await take('8');
    await release(`owing of ${user}`);
    expect(await figures()).toEqual({ balance: '2', held: '0', debt: '0' });
  });
});
