import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { vmidOf } from '../../../subgraphs/infrastructure/machines/provider/proxmox/proxmox.rules.js';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { command, machineIn, machineOf, spawn } from '../../kit/machines/machine.js';
import { join } from '../../kit/network/network.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import { asAdmin, call, type Json } from '../../kit/platform.js';
import { TestProxmox } from '../../kit/machines/proxmox.js';
import { grantAt } from '../../kit/files/storage-price.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { end, until } from '../../kit/watch.js';

let proxmox: TestProxmox;
let env: Readonly<Record<string, string>>;
let running: RunningPlatform;
let user: SignedIn;
let machine: Json;
const asked = () => ({ token: user.token, url: running.url });
const peers = async (): Promise<Json[]> => (await call('GET /api/network/peers/', asked())).body;

beforeAll(async () => {
  proxmox = await TestProxmox.start();
  proxmox.machines.tasks.taskMs = 100;
  proxmox.machines.addTemplate(9000, 'debian-13');
  const started = await startOnDatabase(proxmox.variables);
  running = started;
  env = { ...proxmox.variables, DATABASE_URL: started.databaseUrl, DATA_DIR: started.dataDir };
  user = await signIn(undefined, running.url);
  const roles = 'mutation ($to: String!) { adminSetRoles(substrateAddress: $to, roles: [BETA]) { id } }';
  await asAdmin(roles, { to: user.substrateAddress }, running.url);
  await grantAt(user, '100', running.url);
  await call('POST /api/network/provision/', { ...asked(), body: {} });
}, 120_000);
afterAll(async () => {
  await running.stop();
  await rm(env.DATA_DIR ?? '', { recursive: true, force: true });
  await proxmox.stop();
});

/** The key that rides in the seed, as the machine reads it. */
function keyOnDisc(uuid: string): string {
  const disc = proxmox.machines.discs.get(`local:iso/archipelago-${uuid}.iso`) ?? '';
  const texts = disc.split('\n\n').map((part) => Buffer.from(part, 'base64').toString());
  return /arp_join_[\w-]+/.exec(texts.join('\n'))?.[0] ?? '';
}

describe('a machine on Proxmox that joins its owner’s network', () => {
  it('is made, and has no address in the overlay until it has joined', async () => {
    const { body } = await spawn(user, { url: running.url, body: { join_network: true } });
    machine = await machineIn('running', body.id, asked());
    expect(machine).toMatchObject({ public_ip: expect.stringMatching(/^192\.0\.2\./), ssh_port: 22, nebula_ip: null });
  }, 60_000);

  it('joins by the key of its seed as the one peer there is, also after the platform was killed', async () => {
    for (const { child } of running.processes) await end(child, 'SIGKILL');
    running = await startInProcess(env);
    const { status, body } = await join(keyOnDisc(machine.uuid), undefined, running.url);
    expect([status, (await peers()).map(({ id }) => id)]).toEqual([201, [body.peer]]);
  }, 60_000);

  it('shows its address in the overlay at once', async () => {
    const [{ ip } = {}] = await peers();
    await until(async () => (await machineOf(machine.id, asked())).nebula_ip === ip);
  }, 60_000);

  it('takes its peer and its seed with it', async () => {
    await command(machine.id, 'terminate', asked());
    await machineIn('terminated', machine.id, asked());
    expect([await peers(), proxmox.machines.discs.size, proxmox.machines.all.has(vmidOf(machine.uuid))]).toEqual([
      [],
      0,
      false,
    ]);
  }, 60_000);
});
