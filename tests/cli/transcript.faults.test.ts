import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_TOKEN } from '../kit/arrangements.js';
import { SSH_KEY } from '../kit/machines/machine.js';
import { press } from '../kit/payments/sandbox.js';
import { startOnDatabase, type PlatformOnDatabase } from '../kit/database/own-database.js';
import { graphql } from '../kit/platform.js';
import { Transcript } from '../kit/transcript.js';
import { until } from '../kit/watch.js';

const NETWORK = `groups: [staff, web]
peers:
  - { label: laptop, groups: [staff] }
  - { label: server, groups: [web] }
policies:
  - { source: staff, destination: web, protocol: tcp, ports: ['443'], bidirectional: false }
`;

let platform: PlatformOnDatabase;
let folder: string;
let transcript: Transcript;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-cli-'));
  platform = await startOnDatabase();
  const { url } = platform;
  const env = { ARCHIPELAGO_HOME: join(folder, 'home'), ARCHIPELAGO_URL: url, DATA_DIR: join(folder, 'data') };
  transcript = new Transcript(
    env,
    new Map([
      [folder, '~'],
      [url, 'http://localhost:4000'],
      [url.replace('127.0.0.1', 'localhost'), 'http://localhost:4000'],
    ]),
  );
  await mkdir(join(folder, 'photos'));
  await writeFile(join(folder, 'photos/one.txt'), 'the first file');
  await writeFile(join(folder, 'photos/two.txt'), 'the second file');
  await writeFile(join(folder, 'key.pub'), `${SSH_KEY}\n`);
  await writeFile(join(folder, 'net.yaml'), NETWORK);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the words of a command; words of the folder begin with `~/`. */
const type = (command: string, code = 0) =>
  transcript.run(
    command.split(' ').map((word) => word.replace(/^~/, folder)),
    { code },
  );
const asAdmin = (command: string) => transcript.run(command.split(' '), { env: { ARCHIPELAGO_TOKEN: ADMIN_TOKEN } });

async function signIn(): Promise<void> {
  await type('doctor');
  await type('whoami', 3);
  await type('login --wallet ~/wallet --new');
  const { stdout } = await type('--json whoami');
  const { substrateAddress } = JSON.parse(stdout);
  await asAdmin(`admin grant ${substrateAddress} 100 welcome`);
  await asAdmin(`admin roles ${substrateAddress} BETA`);
  await type('credits');
  await type('token list');
}

async function buyCredits(): Promise<void> {
  const { stdout } = await type('credits buy 25');
  await press(/\S+\/sandbox\/\S+/.exec(stdout)?.[0] ?? '', { action: 'pay' }, platform.url);
  const waiting = type('credits deposit usdc 40 --wait');
  const page = await depositPage();
  await press(page, { action: 'exact' }, platform.url);
  await press(page, { action: 'mine' }, platform.url);
  expect((await waiting).stdout).toMatch(/^credited 40$/m);
  expect((await type('credits')).stdout).toMatch(/^balance +165$/m);
}

/** Waits for a deposit. Returns the page that pays it. */
async function depositPage(): Promise<string> {
  const { token } = JSON.parse(await readFile(join(folder, 'home/profiles.json'), 'utf8')).default;
  const query = '{ transactionPage { results { paymentUrl } } }';
  let page: string | null | undefined;
  await until(async () => {
    const { data } = await graphql(query, { token, url: platform.url });
    page = data.transactionPage.results.find(({ paymentUrl }: { paymentUrl: string | null }) => paymentUrl)?.paymentUrl;
    return typeof page === 'string';
  });
  return page ?? '';
}

async function drawNetwork(): Promise<void> {
  await type('net provision');
  await type('net enroll --label laptop');
  await type('net enroll --label server');
  await type('net peer list');
  await type('net plan ~/net.yaml');
  await type('net apply ~/net.yaml', 2);
  await type('net apply ~/net.yaml --yes');
  expect((await type('net apply ~/net.yaml --yes')).stdout).toBe('nothing to change\n');
  await type('net reach laptop server:443');
  await type('net reach server laptop:22', 1);
  await type('net group create ops');
  await type('net policy create ops web --ports 22 --one-way --plan');
  await type('net policy create ops web --ports 22 --one-way');
  await type('net policy disable ops-to-web');
  await type('net policy list');
  await type('net undo', 2);
  await type('net undo --yes');
  await type('net export');
}

async function runMachine(): Promise<void> {
  await type('vm catalogue');
  const { stdout } = await type('vm create web --flavor spark --image debian-13 --key ~/key.pub --wait');
  expect(stdout).toBe('web is running; it is simulated, so it has no shell\n');
  expect((await type('vm ssh web --print')).stdout).toMatch(/^ssh -p \d+ cloud@\S+$/m);
  await type('vm list');
  await type('vm console web --kib 1');
  await type('vm stop web', 2);
  await type('vm stop web --yes');
  await type('vm rm web', 2);
  await type('vm rm web --yes');
  await type('vm stop nothing', 2);
}

async function storeFiles(): Promise<void> {
  await type('files push photos ~/photos --wallet ~/wallet');
  await type('files ls photos --wallet ~/wallet');
  await type('files search one');
  await type('files sync photos ~/photos --wallet ~/wallet');
  await type('files pull photos one.txt ~/pulled.txt --wallet ~/wallet');
  expect(await readFile(join(folder, 'pulled.txt'), 'utf8')).toBe('the first file');
}

async function useTheRest(): Promise<void> {
  await type('models list');
  await type('bucket list');
  await type('bucket key create reader');
  await type('bucket key list');
  await type('cert request --dir ~/nebula');
  await type('cert renew --dir ~/nebula');
  await type('cert list');
  await type('admin prove', 1);
}

describe('the way of a new user on the command line', () => {
  it('goes from sign-in to credits, a network, a machine, files, keys and a certificate, and is written down', async () => {
    await signIn();
    await buyCredits();
    await drawNetwork();
    await runMachine();
    await storeFiles();
    await useTheRest();
    const [token, phrase, key] = await secrets();
    await type('logout');
    await type('whoami', 3);
    const text = transcript.write('transcript');
    const found = [token, phrase, key, folder, ADMIN_TOKEN].filter((secret) => text.includes(secret));
    expect(found).toEqual([]);
    expect(text).not.toMatch(/arp_[a-z0-9]+_[\w-]/);
    expect((await stat(join(folder, 'home/profiles.json'))).mode & 0o777).toBe(0o600);
  });
});

/** The token of the profile, the phrase of the wallet, and the private key of the certificate. */
async function secrets(): Promise<[string, string, string]> {
  const read = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
  const { token } = JSON.parse(await read('home/profiles.json')).default;
  return [token, await read('wallet'), (await read('nebula/host.key')).split('\n')[1] ?? ''];
}
