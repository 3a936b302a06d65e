import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { ARRANGEMENTS } from '../../kit/arrangements.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { grantAt, recordAt, setPrice, startPlatform, type PaidPlatform } from '../../kit/files/storage-price.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { newWallet, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { runToEnd } from '../../kit/run.js';
import { ask, until } from '../../kit/watch.js';

const DAY_MS = 24 * 3_600_000;
const FIGURES = `{
  creditBalance { balance debt } usageRecords { count results { accountSs58 periodStart periodEnd storageBytes } }
  statement { lines { amount kind source link } }
}`;

/** At this price a byte costs a credit a day in a month of 31 days. */
const priceOf = (day: string) => `${daysInMonth(day) * 2 ** 30}`;
const daysInMonth = (day: string): number => new Date(Date.UTC(+day.slice(0, 4), +day.slice(5, 7), 0)).getUTCDate();

describe.each(ARRANGEMENTS)('storage recorded by the day, %s', (arrangement) => {
  let platform: PaidPlatform;
  let url: string;
  let user: SignedIn;
  let other: SignedIn;
  /** Days that were closed so far: each test closes one of its own. */
  let ahead = 0;
  beforeAll(async () => {
    platform = await startPlatform(arrangement);
    ({ url } = platform);
  }, 120_000);
  afterAll(() => platform.stop());
  beforeEach(async () => {
    [user, other] = [await signIn(undefined, url), await signIn(undefined, url)];
    await setPrice(null, url);
    await ask(platform.databaseUrls.sync, 'UPDATE sync.folder SET stored_bytes = 0');
    ahead += 1;
  });

  const store = (size: number, by = user) => storeFile(by, { bytes: randomBytes(size), url });
  const figures = async (of = user): Promise<Json> => (await graphql(FIGURES, { token: of.token, url })).data;
  const dayOf = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const today = (): string => dayOf(ahead - 1);
  const closeDay = () => recordAt(ahead, url);

  it('is recorded for who stores something, and for nobody else', async () => {
    await store(1000);
    await store(234);
    expect(await closeDay()).toEqual({ closedDays: [today()], recorded: 1, skipped: 0 });
    expect((await figures()).usageRecords).toEqual({
      count: 1,
      results: [
        {
          accountSs58: user.substrateAddress,
          periodStart: `${today()}T00:00:00.000Z`,
          periodEnd: `${dayOf(ahead)}T00:00:00.000Z`,
          storageBytes: 1234,
        },
      ],
    });
    expect((await figures(other)).usageRecords.count).toBe(0);
  });

  it('is shown by folder at its price, to the owner only, after it is charged', async () => {
    const folders = async ({ token } = user) => {
      const { data } = await graphql('{ me { folders { id folderHash charges { day storedBytes credits } } } }', {
        token,
        url,
      });
      return data.me.folders;
    };
    for (const [label, size] of [
      ['alpha', 3],
      ['beta', 4],
    ] as const) {
      const folder_hash = createHash('sha256').update(label).digest('hex').slice(0, 16);
      const body = { ss58_address: user.substrateAddress, folder_hash, label };
      await call('POST /register_folder', { token: user.token, body, url });
      await storeFile(user, { bytes: randomBytes(size), manifest: { folder_hash }, url });
    }
    await setPrice(priceOf(today()), url);
    expect((await folders()).map(({ charges }: Json) => charges)).toEqual([[], []]);
    await closeDay();
    expect((await folders()).map(({ charges }: Json) => charges)).toEqual([
      [{ day: today(), storedBytes: 3, credits: '3' }],
      [{ day: today(), storedBytes: 4, credits: '4' }],
    ]);
    expect((await figures()).creditBalance).toEqual({ balance: '0', debt: '7' });
    const subject = `{ statement(first: 2) { lines { subject { charges { lines { amount } } ... on StorageCharge {
      day folders { storedBytes credits folder { label owner { id } } charge { charges { lines { amount } } } } } } } } }`;
    const { data, errors } = await graphql(subject, { token: user.token, url });
    expect(errors).toBeUndefined();
    const charges = { lines: [{ amount: '-7' }] };
    const share = (label: string, bytes: number) => ({
      storedBytes: bytes,
      credits: `${bytes}`,
      folder: { label, owner: { id: user.userId } },
      charge: { charges },
    });
    const folderShares = [share('beta', 4), share('alpha', 3)];
    expect(data.statement.lines).toEqual([{ subject: { charges, day: today(), folders: folderShares } }]);
    expect(await folders(other)).toEqual([]);
  });

  it('costs nothing without a price', async () => {
    await grantAt(user, '5', url);
    await store(1000);
    await closeDay();
    expect((await figures()).creditBalance).toEqual({ balance: '5', debt: '0' });
  });

  it('is charged at a price, once, exactly', async () => {
    await store(3);
    await grantAt(user, '5', url);
    await setPrice(priceOf(today()), url);
    expect((await closeDay()).recorded).toBe(1);
    expect(await closeDay()).toEqual({ closedDays: [], recorded: 0, skipped: 0 });
    const { creditBalance, statement } = await figures();
    expect(creditBalance).toEqual({ balance: '2', debt: '0' });
    const link = `storage:${user.substrateAddress}:${today()}`;
    expect(statement.lines[0]).toEqual({ amount: '-3', kind: 'storage', source: 'storage', link });
  });

  it('becomes a debt where the balance holds less', async () => {
    await store(3);
    await grantAt(user, '0.5', url);
    await setPrice(priceOf(today()), url);
    await closeDay();
    expect((await figures()).creditBalance).toEqual({ balance: '0', debt: '2.5' });
    await grantAt(user, '3', url);
    expect((await figures()).creditBalance).toEqual({ balance: '0.5', debt: '0' });
  });

  it('leaves a ledger that adds up', async () => {
    await closeDay();
    const ended = await runToEnd(['bundle/prove.js'], {
      DATABASE_URL: platform.databaseUrls.accounts,
    });
    expect(ended.code).toBe(0);
  });

  it('is recorded and charged once by twenty at once', async () => {
    await store(2);
    await grantAt(user, '5', url);
    await setPrice(priceOf(today()), url);
    await Promise.all(Array.from({ length: 20 }, closeDay));
    const { creditBalance, usageRecords } = await figures();
    expect([creditBalance.balance, usageRecords.count]).toEqual(['3', 1]);
  });

  it('is told again with the same figures when it is not known whether it was told', async () => {
    await store(2);
    await grantAt(user, '5', url);
    await setPrice(priceOf(today()), url);
    await closeDay();
    // As a process leaves it that dies between the answer and its note, while its owner stores more and the price changes.
    await ask(platform.databaseUrls.sync, `UPDATE sync.storage_period SET state = 'open' WHERE day = '${today()}'`);
    await setPrice('1', url);
    expect((await store(1)).reply.status).toBe(200);
    expect(await closeDay()).toEqual({ closedDays: [], recorded: 1, skipped: 0 });
    const { creditBalance, usageRecords } = await figures();
    expect([creditBalance.balance, usageRecords.count, usageRecords.results[0].storageBytes]).toEqual(['3', 1, 2]);
  });

  it('is made up for on days that were missed', async () => {
    await store(7);
    const first = today();
    ahead += 3;
    expect((await closeDay()).closedDays.toSorted()).toEqual([first, dayOf(ahead - 3), dayOf(ahead - 2), today()]);
    const { usageRecords } = await figures();
    expect(usageRecords.results.map(({ storageBytes }: Json) => storageBytes)).toEqual([7, 7, 7, 7]);
  });

  it('is made up for on 31 days at most, and not before an owner was there', async () => {
    await store(7);
    await store(7, other);
    await ask(platform.databaseUrls.sync, `UPDATE sync.storage_day SET day = day - 100`);
    const backdate = `WITH o AS (UPDATE sync.owner SET created_at = created_at - interval '90 days'
                                  WHERE address = '${user.substrateAddress}' RETURNING id)
      UPDATE sync.folder f SET created_at = f.created_at - interval '90 days' FROM o WHERE f.owner_id = o.id`;
    await ask(platform.databaseUrls.sync, backdate);
    expect((await closeDay()).closedDays).toHaveLength(31);
    expect((await figures()).usageRecords.count).toBe(31);
    expect((await figures(other)).usageRecords.count).toBe(ahead);
  });

  it('is recorded for all others when accounts fails for one owner', async () => {
    await store(1);
    const accounts = (text: string) => ask(platform.databaseUrls.accounts, text);
    await accounts(`CREATE FUNCTION accounts.refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'a fault of the tests'; END $$`);
    await accounts(`CREATE TRIGGER refuse BEFORE INSERT ON accounts.usage_record FOR EACH ROW
      WHEN (NEW.user_id = ${user.userId}) EXECUTE FUNCTION accounts.refuse()`);
    const others = await Promise.all(Array.from({ length: 9 }, () => signIn(undefined, url)));
    for (const one of others) await store(2, one);
    await expect(closeDay()).rejects.toThrow();
    const counts = await Promise.all(others.map(async (one) => (await figures(one)).usageRecords.count));
    expect(counts).toEqual(others.map(() => 1));
    await accounts('DROP FUNCTION accounts.refuse CASCADE');
    expect((await closeDay()).recorded).toBe(1);
  });

  it('of an address without an account is left out, and logged once', async () => {
    const { substrateAddress } = newWallet();
    const owner = `WITH o AS (INSERT INTO sync.owner (address, created_at) VALUES ('${substrateAddress}', now()) RETURNING id)
      INSERT INTO sync.folder (owner_id, folder_hash, stored_bytes, created_at, updated_at)
      SELECT id, '37a8eec1ce19687d', 5, now(), now() FROM o`;
    await ask(platform.databaseUrls.sync, owner);
    await store(1);
    expect(await closeDay()).toMatchObject({ recorded: 1, skipped: 1 });
    ahead += 1;
    expect(await closeDay()).toMatchObject({ recorded: 1, skipped: 1 });
    const lines = () => platform.log().filter(({ address }) => address === substrateAddress);
    await until(async () => lines().length > 0);
    expect(lines()).toEqual([expect.objectContaining({ msg: 'the owner of stored files has no account' })]);
  });

  it('is not recorded for others', async () => {
    const query = 'mutation ($at: DateTimeISO) { adminRunStorageUsage(at: $at) { recorded } }';
    const past = { at: new Date(Date.now() - 1000) };
    const answers = [
      await graphql(query, { token: user.token, url }),
      await graphql(query, { url }),
      await graphql(query, { token: platform.adminToken, variables: past, url }),
    ];
    expect(answers.map(codeOf)).toEqual(['FORBIDDEN', 'UNAUTHENTICATED', 'BAD_REQUEST']);
  });
});
