import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { freePort } from '../kit/arrangements.js';
import { startOnDatabase, type PlatformOnDatabase } from '../kit/database/own-database.js';
import { graphql } from '../kit/platform.js';
import { spawnPiped, toEnd, type ExitResult } from '../kit/run.js';
import { modeOf } from '../kit/watch.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-wallet-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** `npm run wallet` without npm. */
const wallet = (words: readonly string[], env: Record<string, string> = {}): Promise<ExitResult> =>
  toEnd(
    spawnPiped([process.execPath, join(packageRoot(), 'scripts/wallet.js'), ...words], { DATA_DIR: dataDir, ...env }),
  );

describe('npm run wallet', () => {
  let platform: PlatformOnDatabase;
  beforeAll(async () => {
    platform = await startOnDatabase();
  }, 60_000);
  afterAll(() => platform.stop());

  const signIn = (words: readonly string[] = []) => wallet(words, { PORT: new URL(platform.url).port });
  const userOf = ({ stderr }: ExitResult) => JSON.parse(stderr.split('\n')[0] ?? '') as Record<string, unknown>;

  it('prints a token that the platform on PORT takes, and only that', async () => {
    const { code, stdout } = await signIn();
    const { data } = await graphql('{ me { id } }', { token: stdout.trim(), url: platform.url });
    expect({ code, id: data.me.id }).toEqual({ code: 0, id: expect.anything() });
  });

  it('says where it keeps the key, which its owner alone can read', async () => {
    const file = join(dataDir, 'wallet.json');
    expect((await signIn()).stderr).toContain(`\nits key is kept in ${file}\n`);
    expect(await modeOf(file)).toBe('600');
  });

  it('signs the same wallet in again, and another one with --new, keeping both', async () => {
    const [first, second, third] = [userOf(await signIn()), userOf(await signIn()), userOf(await signIn(['--new']))];
    expect([second.user_id, third.is_new]).toEqual([first.user_id, true]);
    expect(await readdir(dataDir)).toEqual([expect.stringMatching(/^wallet-0x[0-9a-f]{40}\.json$/), 'wallet.json']);
  });

  it('says in one plain line that the folder above DATA_DIR does not exist', async () => {
    const { code, stderr } = await wallet([platform.url], { DATA_DIR: join(dataDir, 'nowhere/data') });
    const line =
      /^\S+nowhere\/data\/wallet\.json cannot be written \(ENOENT\): set DATA_DIR to a folder that you can write\.\n$/;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(line) });
  });

  it('says in one line that a file is no wallet, and leaves it', async () => {
    await writeFile(join(dataDir, 'wallet.json'), '{}');
    const { code, stderr } = await signIn();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^.*wallet\.json holds no wallet.*\n$/),
    });
    expect(await readFile(join(dataDir, 'wallet.json'), 'utf8')).toBe('{}');
  });
});

describe('npm run wallet without a platform', () => {
  it.each([
    [
      'lies below a file',
      'file/data',
      /^\S+file\/data\/wallet\.json cannot be read \(ENOTDIR\): set DATA_DIR to a folder that you can read\.\n$/,
    ],
    [
      'is a file',
      'file',
      /^\S+file\/wallet\.json cannot be read \(ENOTDIR\): set DATA_DIR to a folder that you can read\.\n$/,
    ],
  ])('says in one plain line that DATA_DIR %s', async (_what, place, line) => {
    await writeFile(join(dataDir, 'file'), '');
    const { code, stderr } = await wallet([], { DATA_DIR: join(dataDir, place) });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(line) });
  });

  it('says in one line that nothing answers, and keeps no key', async () => {
    const { code, stdout, stderr } = await wallet([], { PORT: `${await freePort()}` });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Nothing answers at http:\/\/localhost:\d+ \(ECONNREFUSED\): .*\n$/);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it.each([
    ['text', 200, 'hello', /^http.* answered HTTP 200\n$/],
    ['other JSON', 200, '{}', /^http.* answers, but not as the platform does\.\n$/],
    ['a refusal', 429, '{"error":"Too many."}', /^http.* answered HTTP 429: Too many\.\n$/],
  ])('says in one line that %s is no answer', async (_what, status, body, line) => {
    const server = createServer((_request, response) => void response.writeHead(status).end(body)).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const { code, stderr } = await wallet([`http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
    server.close();
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(line) });
  });

  it('explains itself with --help, and refuses other options in one line', async () => {
    const [help, odd, noUrl] = [await wallet(['--help']), await wallet(['--odd']), await wallet(['odd'])];
    expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^usage: npm run --silent wallet/)]);
    for (const { code, stderr } of [odd, noUrl])
      expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 1, lines: 2 });
  });
});
