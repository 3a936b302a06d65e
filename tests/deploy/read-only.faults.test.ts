import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_TOKEN, freePort, untilReady, type RunningProcess } from '../kit/arrangements.js';
import { signIn } from '../kit/accounts/wallet.js';
import { instructions } from '../kit/compose.js';
import { Image, whyNoContainer } from '../kit/container.js';
import { sayExpected } from '../kit/expected-lines.js';
import { call, graphql } from '../kit/platform.js';
import { toEnd } from '../kit/run.js';

const reason = whyNoContainer();

describe('the image on a read-only root file system, as an unprivileged user', () => {
  if (reason !== undefined) {
    it('cannot run on this machine', () => sayExpected(reason));
    return;
  }
  let image: Image;
  let data: string;
  let env: Record<string, string>;
  let url: string;
  let platform: RunningProcess;
  const command = JSON.parse(instructions('platform', 'CMD')[0] ?? '[]') as string[];
  beforeAll(async () => {
    image = await Image.make();
    data = await mkdtemp(join(tmpdir(), 'archipelago-volume-'));
    const port = `${await freePort()}`;
    url = `http://127.0.0.1:${port}`;
    env = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: port, ADMIN_TOKEN };
    platform = await untilReady(image.start(command, data, env), 'the platform');
  }, 240_000);
  afterAll(async () => {
    await platform.stop();
    await image.remove();
    await rm(data, { recursive: true, force: true });
  });

  it('runs as a user other than root who can write to no folder of the image', async () => {
    const script = `
      const { accessSync, constants, writeFileSync } = require('node:fs');
      const isWritable = (name) => { try { accessSync(name, constants.W_OK); return true; } catch { return false; } };
      writeFileSync('/tmp/file', '');
      console.log(process.getuid(), ['/', '/app', '/app/dist', '/app/node_modules', '/etc', '/usr'].filter(isWritable));`;
    const { code, stdout } = await toEnd(image.start(['--eval', script], data, {}));
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1000 []\n' });
  });

  it('serves requests and is healthy', async () => {
    expect((await call('GET /health/ready', { url })).body).toEqual({ status: 'ready' });
    const { code } = await toEnd(image.start(['scripts/healthy.js'], data, env));
    expect(code).toBe(0);
  });

  it('makes a backup in the volume while it runs', async () => {
    const { code, stderr } = await toEnd(image.start(['dist/bundle/backup.js', '/data/backups/today'], data, env));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readdir(join(data, 'backups/today'))).not.toEqual([]);
  });

  it('keeps its data in the volume', async () => {
    const { token, substrateAddress } = await signIn(undefined, url);
    expect(await platform.stop()).toBe(0);
    platform = await untilReady(image.start(command, data, env), 'the platform');
    const { data: me } = await graphql('{ me { substrateAddress } }', { url, token });
    expect(me).toEqual({ me: { substrateAddress } });
  });
});
