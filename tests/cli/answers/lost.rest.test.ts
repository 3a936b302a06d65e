import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from '../../kit/accounts/wallet.js';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { openCommandLine, signedInCommandLine, type CommandLine } from '../../kit/command-line.js';
import { SSH_KEY } from '../../kit/machines/machine.js';
import { startLossyProxy, type LossyProxy } from '../../kit/programs/lossy-proxy.js';
import { toEnd } from '../../kit/run.js';
import { until } from '../../kit/watch.js';

let proxy: LossyProxy;
let line: Awaited<ReturnType<typeof signedInCommandLine>>;
let admin: CommandLine;
beforeAll(async () => {
  proxy = await startLossyProxy();
  line = await signedInCommandLine({ ARCHIPELAGO_URL: proxy.url });
  admin = await openCommandLine({ ARCHIPELAGO_URL: proxy.url, ARCHIPELAGO_TOKEN: ADMIN_TOKEN });
  await admin.json('admin', 'roles', line.substrateAddress, 'beta');
});
beforeEach(() => {
  proxy.fateOf = () => 'answered';
});
afterAll(async () => {
  proxy.close();
  await Promise.all([line.close(), admin.close()]);
});

/** Loses the answers to requests that contain this word, at most so many. */
function loseAnswers(word: string, count = Infinity): void {
  let left = count;
  proxy.fateOf = ({ path, body }) => ((path + body).includes(word) && left-- > 0 ? 'lost' : 'answered');
}

const SENTENCE = /Repeat the command with --idempotency-key (\S+): it has its effect only once\.\n$/;

/** Returns the key of the sentence on standard error. */
const keyIn = (stderr: string): string => SENTENCE.exec(stderr)?.[1] ?? '';

describe('a lost answer', () => {
  it('does not grant credits twice: the grant is sent again, then by hand with the same key', async () => {
    const grant = ['admin', 'grant', line.substrateAddress, '12.5', 'a gift'];
    loseAnswers('adminGrantCredits', 1);
    expect(await admin.json(...grant)).toMatchObject({ balance: '12.5' });
    loseAnswers('adminGrantCredits');
    const lost = await admin.run(...grant);
    expect([lost.code, lost.stderr]).toEqual([4, expect.stringMatching(SENTENCE)]);
    proxy.fateOf = () => 'answered';
    expect(await admin.json(...grant, '--idempotency-key', keyIn(lost.stderr))).toMatchObject({ balance: '25' });
    const refused = await admin.run('admin', 'grant', 'nobody', '1');
    expect([refused.code, refused.stderr.includes('--idempotency-key')]).toEqual([1, false]);
  });

  it('does not grant credits twice after Ctrl-C, which says the key too', async () => {
    const { substrateAddress } = await signIn();
    const grant = ['admin', 'grant', substrateAddress, '3'];
    let requests = 0;
    proxy.fateOf = ({ body }) => {
      if (!body.includes('adminGrantCredits')) return 'answered';
      return ++requests === 1 ? 'lost' : new Promise(() => {});
    };
    const child = admin.start(...grant);
    const ended = toEnd(child);
    await until(async () => requests === 2);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([130, expect.stringMatching(/only once\.\nInterrupted\.\n$/)]);
    proxy.fateOf = () => 'answered';
    const key = keyIn(stderr.replace('Interrupted.\n', ''));
    expect(await admin.json(...grant, '--idempotency-key', key)).toMatchObject({ balance: '3' });
  });

  it('does not create a machine twice', async () => {
    await admin.json('admin', 'grant', line.substrateAddress, '100');
    const key = join(line.folder, 'key.pub');
    await writeFile(key, `${SSH_KEY}\n`);
    const { flavors, images } = await line.json('vm', 'catalogue');
    const options = ['--flavor', flavors[0].name, '--image', images[0].slug, '--key', key, '--no-join'];
    loseAnswers('spawnVm', 1);
    await line.json('vm', 'create', 'web', ...options);
    loseAnswers('spawnVm');
    const lost = await line.run('vm', 'create', 'db', ...options);
    expect([lost.code, lost.stderr]).toEqual([4, expect.stringMatching(SENTENCE)]);
    proxy.fateOf = () => 'answered';
    const { id } = await line.json('vm', 'create', 'db', ...options, '--idempotency-key', keyIn(lost.stderr));
    const machines: { id: number; name: string }[] = await line.json('vm', 'list');
    expect(machines.map(({ name }) => name).toSorted()).toEqual(['db', 'web']);
    expect(machines.find(({ name }) => name === 'db')?.id).toBe(id);
  });
});

describe('a download that is cut off', () => {
  const files = (...words: readonly string[]) => ['files', ...words, '--wallet', line.wallet];

  it('is repeated, and says what happened when it is cut off again', async () => {
    const source = join(line.folder, 'source.bin');
    await writeFile(source, Buffer.alloc(100_000, 'a'));
    await line.json(...files('push', 'documents', source));
    let left = 1;
    proxy.fateOf = ({ path }) => (path.startsWith('/download/') && left-- > 0 ? 'half' : 'answered');
    const target = join(line.folder, 'target');
    await line.json(...files('pull', 'documents', '/', target));
    expect((await readFile(join(target, 'source.bin'))).length).toBe(100_000);
    left = Infinity;
    expect(await line.run(...files('pull', 'documents', '/', join(line.folder, 'other')))).toEqual({
      code: 4,
      stdout: '',
      stderr: 'The answer was cut off.\n',
    });
    expect(await readdir(join(line.folder, 'other'))).toEqual([]);
  });
});

describe('a platform behind a proxy', () => {
  it.each([502, 503, 504])('counts as one that does not answer when the proxy says %d', async (status) => {
    proxy.fateOf = () => status;
    const { code, stderr } = await line.run('net', 'provision');
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(
        `^HTTP ${status} without an error of the platform: the platform or a proxy before it fails.`,
      ),
    ]);
  });
});
