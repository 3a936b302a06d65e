import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killMachine, processOf } from '../../../../subgraphs/infrastructure/machines/provider/qemu/host-process.js';
import { startInProcess, type RunningPlatform } from '../../../kit/arrangements.js';
import { sayExpected } from '../../../kit/expected-lines.js';
import { command, machineIn, spawn } from '../../../kit/machines/machine.js';
import { newDatabase } from '../../../kit/database/own-database.js';
import { asAdmin, graphql, type Json } from '../../../kit/platform.js';
import { bootsOf, createImages, qemuUnavailableReason } from '../../../kit/machines/qemu.js';
import { grantAt } from '../../../kit/files/storage-price.js';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';
import { end, isRunning } from '../../../kit/watch.js';

const reason = qemuUnavailableReason();

if (reason === undefined) describeHost();
else
  describe('a platform with machines of its own', () => {
    it('is not tried without QEMU', () => {
      sayExpected(reason);
      expect(reason).toContain('not installed');
    });
  });

function describeHost(): void {
  let env: { readonly DATA_DIR: string };
  let running: RunningPlatform;
  let user: SignedIn;
  let machine: Json;
  const asked = () => ({ token: user.token, url: running.url });
  const vms = () => join(env.DATA_DIR, 'vms');
  const pid = () => processOf(join(vms(), machine.uuid), machine.uuid);

  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
    await createImages(join(dataDir, 'images'), ['debian-13']);
    env = { DATA_DIR: dataDir, DATABASE_URL: await newDatabase(), VM_PROVIDER: 'qemu' } as { DATA_DIR: string };
    running = await startInProcess(env);
    user = await signIn(undefined, running.url);
    const roles = 'mutation ($to: String!) { adminSetRoles(substrateAddress: $to, roles: [BETA]) { id } }';
    await asAdmin(roles, { to: user.substrateAddress }, running.url);
    await grantAt(user, '100', running.url);
    const { body } = await spawn(user, { url: running.url });
    machine = await machineIn('running', body.id, asked());
  }, 120_000);
  afterAll(async () => {
    for (const uuid of await readdir(vms())) await killMachine(join(vms(), uuid), uuid);
    await running.stop();
    await rm(env.DATA_DIR, { recursive: true, force: true });
  });

  describe('a machine of the platform’s own host', () => {
    it('is reached at a port of loopback', () => {
      expect(machine).toMatchObject({ public_ip: '127.0.0.1', ssh_port: expect.any(Number) });
      expect(machine.ssh_port).toBeGreaterThan(1023);
    });

    it('outlives a platform that is killed with -9, and is found again', async () => {
      const before = await pid();
      for (const { child } of running.processes) await end(child, 'SIGKILL');
      expect([before, await isRunning(before ?? 0)]).toEqual([await pid(), true]);
      running = await startInProcess(env);
      expect((await machineIn('running', machine.id, asked())).ssh_port).toBe(machine.ssh_port);
      expect([await pid(), await bootsOf(join(vms(), machine.uuid), machine.uuid)]).toEqual([before, 1]);
    }, 60_000);

    it('shows its console', async () => {
      const reply = await graphql(`{ vmConsoleLog(id: "${machine.uuid}") }`, asked());
      expect(reply.data.vmConsoleLog).toContain('B');
    });

    it('is stopped as soon as its system has shut itself down', async () => {
      process.kill((await pid()) ?? 0, 'SIGTERM');
      await machineIn('stopped', machine.id, asked());
    }, 60_000);

    it('starts again, and leaves nothing when it is terminated', async () => {
      await command(machine.id, 'start', asked());
      await machineIn('running', machine.id, asked());
      await command(machine.id, 'terminate', asked());
      await machineIn('terminated', machine.id, asked());
      expect(await readdir(vms())).toEqual(['gone']);
    }, 60_000);
  });
}
