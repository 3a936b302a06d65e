import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { packageRoot } from '../../../kernel/package-root.js';
import { spawnPiped, toEnd } from '../../kit/run.js';

/** A program of a user, in a process of its own. */
const PROGRAM = `
import { verifyWebhook, walletOf, newMnemonic } from '@archipelago/sdk';
const [secret, headers, body] = process.argv.slice(2);
const signature = await walletOf(newMnemonic()).sign('a challenge');
console.log(JSON.stringify([verifyWebhook(secret, JSON.parse(headers), body), typeof signature]));
`;
const PACK = ['npm', 'pack', join(packageRoot(), 'sdk'), '--offline', '--silent', '--pack-destination'];

let folder: string;
let installed: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-sdk-'));
  installed = join(folder, 'app/node_modules/@archipelago/sdk');
  await mkdir(installed, { recursive: true });
  await symlink(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
  const archive = (await execute([...PACK, folder])).trim().split('\n').at(-1) ?? '';
  await execute(['tar', '-xzf', join(folder, archive), '-C', installed, '--strip-components=1']);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program to its end. Returns what it wrote. @throws Error when it fails */
async function execute(command: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await toEnd(spawnPiped(command, { npm_config_cache: join(folder, 'cache') }));
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

/** Returns what each file of the package imports, as `file: module`. */
async function imports(): Promise<[file: string, module: string][]> {
  const files = (await readdir(installed, { recursive: true })).filter((file) => /\.(?:js|d\.ts)$/.test(file));
  const found = files.map(async (file) => {
    const text = await readFile(join(installed, file), 'utf8');
    const names = text.matchAll(/^(?:import|export) (?:[^'"`;]* from )?['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/gm);
    return [...names].map(([, name, inline]): [string, string] => [file, name ?? inline ?? '']);
  });
  return (await Promise.all(found)).flat();
}

const nameOf = (module: string) => module.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? module;

describe('the published SDK', () => {
  it('verifies a webhook and signs with a wallet in a plain Node process', async () => {
    const secret = `whsec_${Buffer.from('a secret of this test').toString('base64')}`;
    const [id, sentAt, body] = ['msg_1', new Date(), '{"type":"a.test"}'];
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
    };
    const program = join(folder, 'app/program.mjs');
    await writeFile(program, PROGRAM);
    const output = await execute([process.execPath, program, secret, JSON.stringify(headers), body]);
    expect(JSON.parse(output)).toEqual([{ type: 'a.test' }, 'string']);
  });

  it('depends on what it imports, in the versions of the platform', async () => {
    const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    const root = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8'));
    const modules = (await imports()).map(([, module]) => module);
    const packages = new Set(modules.filter((name) => !name.startsWith('.') && !isBuiltin(name)).map(nameOf));
    const expected = [...packages].map((name) => [name, root.dependencies[name]]);
    expect(dependencies).toStrictEqual(Object.fromEntries(expected));
  });

  it('contains each file that it imports, and its types', async () => {
    const files = new Set(await readdir(installed, { recursive: true }));
    const missing = (await imports()).flatMap(([file, module]) => {
      const target = join(dirname(file), module);
      const wanted = file.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target;
      return module.startsWith('.') && !files.has(wanted) ? [`${file}: ${module}`] : [];
    });
    expect(missing).toEqual([]);
    expect([files.has('dist/index.js'), files.has('dist/index.d.ts')]).toEqual([true, true]);
  });

  it('contains the licence of the platform', async () => {
    const text = await readFile(join(packageRoot(), 'LICENSE'), 'utf8');
    const folders = [installed, join(packageRoot(), 'sdk/python')];
    expect(await Promise.all(folders.map((one) => readFile(join(one, 'LICENSE'), 'utf8')))).toEqual([text, text]);
  });

  it('is also a package of Python, with the same version', async () => {
    const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    const project = await readFile(join(packageRoot(), 'sdk/python/pyproject.toml'), 'utf8');
    expect(project).toMatch(new RegExp(`^version = "${version}"$`, 'm'));
  });
});
