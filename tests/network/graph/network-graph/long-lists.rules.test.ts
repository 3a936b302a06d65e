import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeServices, openServices, type NetworkServices } from '../../../../subgraphs/network/services.js';
import { platformConfig } from '../../../kit/config.js';

let dataDir: string;
let services: NetworkServices;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-network-'));
  const config = platformConfig({ DATA_DIR: dataDir });
  const parts = { publicUrl: 'http://localhost:4000', adminToken: undefined };
  services = await openServices({ config, own: config.network, ...parts });
});
afterAll(async () => {
  await closeServices(services);
  await rm(dataDir, { recursive: true, force: true });
});

it('long lists of a user are made one after the other, 500 wait, more are refused; others are served', async () => {
  let finish = (): void => undefined;
  const first = services.reading.take('one', () => new Promise<void>((resolve) => (finish = resolve)));
  const waiting = Array.from({ length: 500 }, () => services.reading.take('one', async () => 'done'));
  const refusal = { extensions: { code: 'RATE_LIMITED', retryAfter: 2 } };
  await expect(services.reading.take('one', async () => 'done')).rejects.toMatchObject(refusal);
  expect(await services.reading.take('another', async () => 'done')).toBe('done');
  finish();
  await first;
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']));
});
