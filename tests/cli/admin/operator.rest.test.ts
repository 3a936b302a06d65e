import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { notificationsOf } from '../../kit/accounts/notice.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { openCommandLine, type CommandLine } from '../../kit/command-line.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { openDeposit } from '../../kit/payments/deposits.js';
import { deliver, eventOf, processorId } from '../../kit/payments/payments.js';
import { PriceSources } from '../../kit/payments/price-source.js';
import { stripeClient } from '../../kit/payments/sandbox.js';
import { call, type Json } from '../../kit/platform.js';
import { ask } from '../../kit/watch.js';

/** A platform of its own: rewards and prices are for all users. */
let platform: PlatformOnDatabase;
let sources: PriceSources;
let user: SignedIn;
let admin: CommandLine;
let stranger: CommandLine;
beforeAll(async () => {
  sources = await PriceSources.start(2);
  platform = await startOnDatabase({
    TAO_PRICE_URLS: sources.urls.join(','),
    REGISTRY_URL: process.env.REGISTRY_UNDER_TEST ?? '',
  });
  const { url } = platform;
  user = await signIn(undefined, url);
  admin = await openCommandLine({ ARCHIPELAGO_URL: url, ARCHIPELAGO_TOKEN: ADMIN_TOKEN });
  stranger = await openCommandLine({ ARCHIPELAGO_URL: url, ARCHIPELAGO_TOKEN: user.token });
}, 60_000);
afterAll(async () => {
  await admin.close();
  await stranger.close();
  await platform.stop();
  await sources.stop();
});

const run = (...words: readonly string[]) => admin.run('admin', ...words);
const json = (...words: readonly string[]) => admin.json('admin', ...words);

describe('an administrator', () => {
  it('notifies a user by the address or the id, once for each key', async () => {
    const notice = ['Maintenance', 'The platform is away on Sunday.', '--kind', 'machine', '--link', '/machines'];
    const notify = (...words: readonly string[]) => run('notify', user.substrateAddress, ...notice, ...words);
    const key = ['--idempotency-key', randomUUID()];
    const sent = [await notify(...key), await notify(...key)];
    expect(sent.map(({ code, stdout }) => [code, stdout])).toEqual([
      [0, `${user.substrateAddress} is notified\n`],
      [0, `${user.substrateAddress} was notified before\n`],
    ]);
    expect(await json('notify', `${user.userId}`, 'Another', 'Text')).toEqual({ isNew: true });
    expect((await notificationsOf(user, '', platform.url)).results).toMatchObject([
      { kind: 'account', title: 'Another', link: null },
      { kind: 'machine', title: 'Maintenance', text: 'The platform is away on Sunday.', link: '/machines' },
    ]);
  });

  it('rotates the signing key, and the earlier one verifies its tokens still', async () => {
    const keys = async (): Promise<string[]> => {
      const { body } = await call('GET /.well-known/jwks.json', { url: platform.url });
      return body.keys.map((key: Json) => key.kid);
    };
    const before = await keys();
    const { kid } = await json('signing-key', 'rotate', '--yes');
    expect(new Set(await keys())).toEqual(new Set([kid, ...before]));
  });

  it('sets the reward of a referral, and sees it', async () => {
    expect((await run('referral-reward', 'show')).stdout).toBe('credits  0\n');
    expect(await json('referral-reward', 'set', '2.5')).toEqual({ credits: '2.5' });
    expect(await json('referral-reward', 'show')).toEqual({ credits: '2.5' });
  });

  it('records the price of TAO, and fetches it from its sources', async () => {
    const none = await run('tao-price', 'show');
    expect([none.code, none.stderr]).toEqual([1, 'There is no price data yet.\n']);
    expect(await json('tao-price', 'record', '412.25', '4000000')).toMatchObject({
      priceUsd: '412.25',
      blockNumber: 4_000_000,
      source: 'administrator',
    });
    sources.answers = ['{}', '{}'];
    const refused = await run('tao-price', 'refresh');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^The TAO price was not updated: /)]);
    sources.answers = ['{"price":413}', '{"price":413}'];
    expect(await json('tao-price', 'refresh')).toMatchObject({ priceUsd: '413', source: 'feed' });
    expect((await run('tao-price', 'show')).stdout).toMatch(/^price usd +413\nblock number +4000000\nsource +feed\n/);
  });
});

describe('an administrator of payments', () => {
  it('links a customer record to a user, and unlinks it', async () => {
    const { id } = await stripeClient(undefined, platform.url).customers.create({});
    const linked = await run('payments', 'link', user.substrateAddress, id);
    expect(linked.stdout).toMatch(
      new RegExp(`^${id} is linked to ${user.substrateAddress}; 0 events were processed, 0 are parked,`),
    );
    const other = await signIn(undefined, platform.url);
    const conflict = await run('payments', 'link', other.substrateAddress, id);
    expect([conflict.code, conflict.stdout]).toEqual([1, '']);
    const unlink = () => run('payments', 'unlink', `${user.userId}`, id, '--yes');
    const unlinked = [await unlink(), await unlink()];
    expect(unlinked.map(({ stdout }) => stdout)).toEqual([`${id} is unlinked\n`, `${id} was not linked\n`]);
  });

  it('lists the events of the processor by their state, and says when there are more', async () => {
    const events = [1, 2].map(() => eventOf('product.created', { id: processorId('prod'), object: 'product' }));
    for (const event of events) await deliver(event, { url: platform.url });
    const listed: Json[] = await json('payments', 'events', '--status', 'ignored');
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)));
    expect(await json('payments', 'events', '--status', 'parked')).toEqual([]);
    const { stdout, stderr } = await run('payments', 'events', '-n', '1');
    expect(stdout).toMatch(/^id +occurred +type +status +waits for +note\nevt_\w+ +\S+ +product\.created +ignored /);
    expect(stderr).toMatch(/^Only the first 1 of \d+ are listed; for more, raise --limit\.\n$/);
  });

  it('compares them with the processor', async () => {
    expect((await run('payments', 'reconcile')).stdout).toMatch(/^\d+ events? (?:was|were) processed, \d+ (?:is|are) /);
  });

  it('lists deposit addresses, and scans the chains', async () => {
    const { id, address } = await openDeposit('USDC', '25', platform.url);
    expect(await json('deposits', 'list')).toMatchObject([{ transactionId: id, address, currency: 'USDC' }]);
    expect((await run('deposits', 'list', '--paid')).stdout).toBe('none\n');
    expect((await run('deposits', 'scan')).stdout).toMatch(/^sandbox-evm +\S+ +\d+ +0 /m);
  });
});

describe('an administrator of models', () => {
  it('compares the index with the registry, and sees the state', async () => {
    const { stdout } = await run('models', 'crawl');
    expect(stdout).toBe('the comparison is queued; see archipelago admin models status\n');
    expect(await json('models', 'status')).toMatchObject({ number: expect.any(Number) });
  });

  it('gives a project an owner, and takes it', async () => {
    const [project, owner] = [`p${randomUUID()}`, user.substrateAddress];
    expect((await run('models', 'project', project, 'private', owner)).stdout).toBe(
      `${project} is private, of ${owner}\n`,
    );
    const ownerless = ['models', 'project', project, 'public'];
    expect((await run(...ownerless)).stderr).toMatch(/^Nothing was changed\. Give --yes/);
    expect(await json(...ownerless, '--yes')).toEqual({ project, isPublic: true, ownerId: null });
  });
});

describe('an administrator of stored files', () => {
  it('finds a chunk that the store has changed', async () => {
    await storeFile(user, { url: platform.url });
    const key = String(await ask(platform.databaseUrl, 'SELECT object_key FROM sync.chunk'));
    expect((await run('storage', 'check')).stdout).toBe('1 chunk was read, 0 are damaged; the round is complete\n');
    expect(await json('storage', 'damaged')).toMatchObject({ damagedCount: 0, damaged: [] });
    const file = join(platform.dataDir, 'blobs', key);
    await writeFile(
      file,
      (await readFile(file)).map((byte) => byte ^ 1),
    );
    expect(await run('storage', 'check')).toMatchObject({ code: 1, stdout: expect.stringContaining(', 1 is damaged') });
    expect((await run('storage', 'damaged')).stdout).toMatch(
      new RegExp(`^damaged count +1$[^]*^${key} +ALTERED +${user.substrateAddress} `, 'm'),
    );
  });

  it('cleans the store, and records what is stored', async () => {
    const cleaned = { expiredSessions: 0, purgedFiles: 0, orphanObjects: 0, collectedObjects: 0 };
    expect(await json('storage', 'clean', '--yes')).toEqual(cleaned);
    expect(await json('storage', 'record-usage')).toMatchObject({ recorded: 0, skipped: 0 });
  });
});

describe('a command of an administrator', () => {
  it.each([
    'notify 1 title text',
    'signing-key rotate --yes',
    'referral-reward show',
    'referral-reward set 1',
    'tao-price record 1 1',
    'tao-price refresh',
    'payments events',
    'payments reconcile',
    'payments link 1 cus_1',
    'payments unlink 1 cus_1 --yes',
    'deposits list',
    'deposits scan',
    'models crawl',
    'models status',
    'models project llama public --yes',
    'storage damaged',
    'storage check',
    'storage clean --yes',
    'storage record-usage',
  ])('is refused to a user without the role: admin %s', async (words) => {
    const refusal = { code: 1, stdout: '', stderr: 'This needs the role ADMIN.\n' };
    expect(await stranger.run('admin', ...words.split(' '))).toEqual(refusal);
  });

  it.each([
    ['signing-key rotate', 'rotated'],
    ['payments unlink 1 cus_1', 'unlinked'],
    ['storage clean', 'removed'],
  ])('does nothing without a terminal and without --yes: admin %s', async (words, verb) => {
    const stderr = `Nothing was ${verb}. Give --yes where there is no terminal to ask on.\n`;
    expect(await run(...words.split(' '))).toEqual({ code: 2, stdout: '', stderr });
  });

  it.each([
    [
      'notify 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8 title text',
      1,
      'There is no account with this SS58 address.',
    ],
    ['notify 1 title text --kind none', 2, "argument 'none' is invalid"],
    ['notify 1 title text --link https://a.example', 1, '--link must be a path such as /billing'],
    ['referral-reward set -- -1', 2, '"-1" is not an amount'],
    ['referral-reward set 1001', 1, '<credits> must be 0 to 1000.'],
    ['tao-price record 0 1', 1, '<usd> must be above zero.'],
    ['tao-price record 1 x', 2, '"x" is not a whole number'],
    ['payments events --status none', 2, "argument 'none' is invalid"],
    ['payments link 1 cus_none', 1, 'The payment processor has no customer record cus_none.'],
    ['payments unlink 2147483647 cus_1 --yes', 1, 'There is no user with this id.'],
    ['models project A public --yes', 1, '<project> must be'],
    ['models project a hidden', 2, "'hidden' is invalid for argument 'visibility'"],
    ['models project a private 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8', 1, 'There is no account with this'],
  ])('refuses bad input: admin %s', async (words, status, sentence) => {
    const { code, stdout, stderr } = await run(...words.split(' '));
    expect([code, stdout, stderr]).toEqual([status, '', expect.stringContaining(sentence)]);
  });
});
