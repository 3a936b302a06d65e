import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { freePort } from '../../kit/arrangements.js';
import { describeInBrowser, injectWallets, loaded, note, screenshot } from '../../kit/browser/browser.js';
import type { Tab } from '../../kit/browser/chromium.js';
import { sayExpected } from '../../kit/expected-lines.js';
import { SSH_KEY } from '../../kit/machines/machine.js';
import { spawnCommand, toEnd } from '../../kit/run.js';
import { until } from '../../kit/watch.js';
import { newWallet } from '../../kit/accounts/wallet.js';

/** Milliseconds from `npm start` until the last step is done. */
const GOAL_MS = 300_000;

/** Steps of the way with the milliseconds since `npm start`; each leaves a numbered picture. */
class Film {
  readonly steps: Record<string, number> = {};
  private readonly startedMs = performance.now();

  async add(page: Page, name: string): Promise<void> {
    this.steps[name] = Math.round(performance.now() - this.startedMs);
    await loaded(page);
    await screenshot(page, `new-user-${String(Object.keys(this.steps).length).padStart(2, '0')}-${name}`);
  }
}

describeInBrowser('the way of a new user', (window) => {
  let folder: string;
  let url: string;
  let film: Film;
  let stop: () => Promise<unknown>;
  const open = (path: string): Promise<Tab> => window.tab(path, { url });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archipelago-new-user-'));
    const port = await freePort();
    url = `http://localhost:${port}`;
    film = new Film();
    const child = spawnCommand(['start'], { PORT: `${port}`, DATA_DIR: folder });
    const ended = toEnd(child);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    stop = () => (child.kill('SIGTERM'), ended);
    await until(() => Promise.resolve(child.exitCode !== null || /ready/.test(output)), 120_000);
  });
  afterAll(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('leads from npm start to a payment, a policy, a running machine and an encrypted folder in five minutes', async () => {
    const wallet = newWallet();
    const { page, faults } = await open('/');
    await signIn(page, wallet);
    await buyCredits(page);
    await drawPolicy(page);
    await letIn(await open('/'), wallet.substrateAddress);
    await createMachine(page);
    await encryptFile(page);
    const totalMs = Object.values(film.steps).at(-1) ?? Infinity;
    note('new-user', film.steps);
    sayExpected(
      `a new user: ${(totalMs / 1_000).toFixed(1)} s from npm start to the last of ${Object.keys(film.steps).length} steps`,
    );
    expect(totalMs).toBeLessThan(GOAL_MS);
    expect(faults).toEqual([]);
  });

  async function signIn(page: Page, wallet: ReturnType<typeof newWallet>): Promise<void> {
    await injectWallets(page, wallet);
    await page.reload();
    await page.getByRole('button', { name: 'Choose an account of test-signer' }).click();
    await film.add(page, 'sign-in');
    await page.getByRole('button', { name: 'Sign in with Test wallet' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await film.add(page, 'home');
  }

  async function buyCredits(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Billing', exact: true }).click();
    await page.getByLabel('US dollars').fill('25');
    await page.getByRole('button', { name: 'Buy credits' }).click();
    const pay = page.getByRole('button', { name: /^Pay .* with card$/i });
    const refusal = page.getByRole('alert');
    await pay.or(refusal).waitFor();
    expect(await refusal.allTextContents()).toEqual([]);
    await film.add(page, 'checkout');
    await pay.click();
    await page.getByText('25.00').first().waitFor();
    await film.add(page, 'paid');
  }

  async function drawPolicy(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Network', exact: true }).click();
    await page.getByRole('button', { name: 'Create a private network' }).click();
    for (const label of ['web', 'database']) {
      await page.getByRole('button', { name: 'New group' }).click();
      await page.getByLabel('Label').fill(label);
      await page.getByRole('button', { name: 'Create the group' }).click();
      await page.getByLabel(`Group ${label}`, { exact: true }).waitFor();
    }
    await film.add(page, 'groups');
    const target = page.getByLabel('Group database', { exact: true });
    await page.getByLabel('Group web', { exact: true }).locator('.end-source').dragTo(target);
    const dialog = page.getByRole('dialog', { name: 'New policy' });
    await dialog.waitFor();
    await film.add(page, 'policy');
    await dialog.getByRole('button', { name: 'Apply the policy' }).click();
    await page
      .locator('.react-flow__edge')
      .and(page.getByLabel(/tcp 443 from web to database/))
      .waitFor();
    await film.add(page, 'network');
  }

  /** The operator, who has the token that the first start wrote, gives a user the role for machines. */
  async function letIn({ page, faults }: Tab, substrateAddress: string): Promise<void> {
    await page.getByRole('button', { name: 'Use an API token' }).click();
    await page
      .getByLabel('API token', { exact: true })
      .fill((await readFile(join(folder, 'admin-token'), 'utf8')).trim());
    await page.getByRole('button', { name: 'Sign in with the token' }).click();
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByLabel('Search users').fill(substrateAddress);
    const row = page.getByRole('row', { name: new RegExp(substrateAddress.slice(0, 12)) });
    await row.getByRole('link').click();
    await page.getByLabel('beta').check();
    await page.getByRole('button', { name: 'Save the roles' }).click();
    await page.getByText('The roles are saved.').waitFor();
    await film.add(page, 'role');
    expect(faults).toEqual([]);
  }

  async function createMachine(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Machines', exact: true }).click();
    await page.getByRole('link', { name: 'Create a machine' }).first().click();
    await page.getByLabel('SSH public key').fill(SSH_KEY);
    await page.getByLabel('Name', { exact: true }).fill('first');
    await film.add(page, 'new-machine');
    await page.getByRole('button', { name: 'Create the machine' }).click();
    await page.getByRole('heading', { name: 'first', level: 1 }).waitFor();
    await page.getByText('running', { exact: true }).first().waitFor();
    await film.add(page, 'machine');
  }

  async function encryptFile(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await page.getByRole('button', { name: 'New folder' }).first().click();
    await page.getByRole('button', { name: 'Generate a new phrase' }).click();
    await page.getByText('Write it down now').waitFor();
    await film.add(page, 'phrase');
    await page.getByRole('button', { name: 'Use this phrase' }).click();
    await page.getByLabel('Name').fill('My documents');
    await page.getByRole('button', { name: 'Create the folder' }).click();
    await page.getByRole('heading', { name: 'My documents', level: 1 }).waitFor();
    const file = { name: 'report.pdf', mimeType: 'application/pdf', buffer: randomBytes(50_000) };
    await page.getByLabel('Files to upload').setInputFiles(file);
    await page.getByText('All files are uploaded').waitFor();
    await film.add(page, 'folder');
  }
});
