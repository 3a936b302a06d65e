import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { JOBS } from '../../../subgraphs/infrastructure/jobs.js';
import { grant, setRoles, signIn } from '../../kit/accounts/wallet.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { machineOf, spawn } from '../../kit/machines/machine.js';
import { notifyModels } from '../../kit/models/artifacts.js';
import { REGISTRY_TOKEN, startRegistry, type TestRegistry } from '../../kit/models/registry.js';
import { until } from '../../kit/watch.js';

let registry: TestRegistry;
let platform: PlatformOnDatabase;
beforeAll(async () => {
  registry = await startRegistry();
  platform = await startOnDatabase({ REGISTRY_URL: registry.url, REGISTRY_TOKEN });
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await rm(platform.dataDir, { recursive: true, force: true });
  await registry.stop();
});

it('a registry that does not answer delays no machine, and has three notified models requested at once', async () => {
  const { url } = platform;
  const user = await signIn(undefined, url);
  await setRoles(user.substrateAddress, ['BETA'], url);
  await grant(user, '20', url);
  let [requested, most] = [0, 0];
  registry.intercept = (request, response) => {
    if (!request.url?.includes('/manifests/')) return true;
    most = Math.max(most, ++requested);
    response.once('close', () => (requested -= 1));
    return true;
  };
  // Requests are given up after 15 s: if machines waited, it would be for five rounds of them.
  for (let number = 0; number < 40; number++) await notifyModels(`a/model-${number}`, { tag: 'v1' }, url);
  await until(async () => most >= 3);
  const { body } = await spawn(user, { url });
  const shown = () => machineOf(body.id, { token: user.token, url });
  await until(async () => (await shown()).status === 'running');
  await until(async () => (await shown()).billing.state === 'charging');
  expect(most).toBe(3);
}, 60_000);

it('jobs that wait for the registry or the object store, and those that charge and notify, do not wait for machines', () => {
  const jobsOf = (queue: string | undefined) => JOBS.filter((job) => job.queue === queue).map(({ name }) => name);
  expect(jobsOf('storage')).toEqual([
    'poll-model',
    'crawl-models',
    'write-bucket-policy',
    'check-bucket-policies',
    'remove-deleted-bucket',
  ]);
  expect(jobsOf(undefined)).toEqual(['settle-instance', 'tell-vm-owner', 'settle-instances', 'tell-certificate-owner']);
});
