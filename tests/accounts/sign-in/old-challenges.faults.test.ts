import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tryCountAttempt } from '../../../subgraphs/accounts/identity/rate-limit/rate.actions.js';
import { deleteOldAttempts } from '../../../subgraphs/accounts/identity/rate-limit/old-attempts.js';
import type { AccountsRuntime } from '../../../subgraphs/accounts/services.js';
import { deleteOldChallenges } from '../../../subgraphs/accounts/sign-in/wallet/old-challenges.js';
import { createChallenge, findChallenges } from '../../../subgraphs/accounts/sign-in/wallet/challenge.actions.js';
import { openLedger, type LedgerUnderTest } from '../../kit/accounts/ledger.js';
import { newWallet } from '../../kit/accounts/wallet.js';

const NOON = new Date('2026-01-01T12:00:00Z');
const after = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);

let ledger: LedgerUnderTest;
beforeAll(async () => {
  ledger = await openLedger();
}, 120_000);
afterAll(() => ledger.close());

const runtimeAt = (now: Date) => ({ database: ledger.database, now: () => now }) as AccountsRuntime;

async function rowsOf(table: 'challenge' | 'rate'): Promise<number> {
  const text = `SELECT count(*)::integer AS count FROM accounts.${table}`;
  const [row] = await ledger.database.rows<{ count: number }>({ name: `rows-of-${table}`, text });
  return row?.count ?? 0;
}

const schedule = (key: string) =>
  ledger.database.rows<{ cron: string }>(
    { name: 'schedule-of-the-tests', text: 'SELECT cron FROM accounts_jobs.schedule WHERE key = $1' },
    [key],
  );

describe('challenges that have expired', () => {
  it('are deleted by a job, however many there are; open ones stay', async () => {
    await ledger.database.change((transaction) =>
      transaction.execute(
        `INSERT INTO accounts.challenge SELECT 'old ' || n, 'a', 'b', 'm', $1::timestamptz, $1 FROM generate_series(1, 25000) n`,
        [after(-1)],
      ),
    );
    const { address: ethereumAddress, substrateAddress } = newWallet();
    const pair = { ethereumAddress, substrateAddress, linkUserId: null };
    await createChallenge(ledger.database, pair, { publicUrl: 'http://localhost', now: NOON });
    await deleteOldChallenges.work({}, runtimeAt(after(299)));
    const open = await findChallenges(ledger.database, pair, { challenge: null, now: after(299) });
    expect([await rowsOf('challenge'), open.length]).toEqual([1, 1]);
    await deleteOldChallenges.work({}, runtimeAt(after(301)));
    expect(await rowsOf('challenge')).toBe(0);
  });

  it('are looked for every five minutes', async () => {
    expect(await schedule('forget-old-challenges')).toEqual([{ cron: '*/5 * * * *' }]);
  });
});

describe('attempts that count no more', () => {
  const LIMIT = { scope: 'tests', max: 2, windowSeconds: 3_600 };
  const waitAt = (key: string, now: Date) => tryCountAttempt(ledger.database, LIMIT, { key, now });

  it('are deleted by a job; those that count still do', async () => {
    await waitAt('gone', after(-90_000));
    await waitAt('here', after(-90_000));
    for (const second of [-20, -10]) await waitAt('here', after(second));
    await deleteOldAttempts.work({}, runtimeAt(NOON));
    expect([await rowsOf('rate'), await waitAt('here', NOON)]).toEqual([1, 3_580]);
  });

  it('are looked for every hour', async () => {
    expect(await schedule('forget-old-attempts')).toEqual([{ cron: '29 * * * *' }]);
  });
});
