import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { freePort } from '../kit/arrangements.js';
import { startOnDatabase } from '../kit/database/own-database.js';
import { modelPack, modelsOf, publish, publishAndWait, LLAMA } from '../kit/models/artifacts.js';
import { describeInBrowser, expectAccessible, screenshot } from '../kit/browser/browser.js';
import { until } from '../kit/watch.js';
import { newWallet, signIn } from '../kit/accounts/wallet.js';

/** More than a page of the dashboard has. */
const MANY = 51;

const numbers = Array.from({ length: MANY }, (_, index) => index + 1);

describeInBrowser('the models', (window) => {
  it('are shown page by page', async () => {
    const project = `t${randomUUID().slice(0, 8)}`;
    for (const number of numbers) await publish(`${project}/model-${number}`, 'v1', modelPack(LLAMA));
    await until(async () => (await modelsOf(`?q=${project}`)).total === MANY);
    const [last] = (await modelsOf(`?q=${project}&page=2&page_size=50`)).results;
    const { page, faults } = await window.tab('/models', { token: (await signIn()).token });
    await page.getByLabel('Name').fill(project);
    await page.getByText(`1 to 50 of ${MANY}`).waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/graphql', (route) => released.then(() => route.continue()));
    const asked = page.waitForRequest('**/graphql');
    await page.getByRole('button', { name: 'Next page' }).click();
    await asked;
    expect(await page.getByText(`1 to 50 of ${MANY}`).isVisible()).toBe(true);
    release();
    await page.getByText(`51 to 51 of ${MANY}`).waitFor();
    const names = await page.getByRole('link', { name: `${project}/model-` }).allInnerTexts();
    expect(names).toEqual([`${project}/${last.repo}`]);
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByLabel('Name').fill(`${project} llama`);
    await page.getByText(`1 to 50 of ${MANY}`).waitFor();
    expect(faults).toEqual([]);
  });

  it('have versions, which are shown page by page', async () => {
    const name = `t${randomUUID().slice(0, 8)}/llama`;
    const versionOf = (number: number) => modelPack(LLAMA, { title: `version ${number}` });
    for (const number of numbers.slice(1)) await publish(name, `v${number}`, versionOf(number));
    const digest = await publishAndWait(name, 'v1', versionOf(1));
    await until(async () => (await modelsOf(`${name}/`)).total === MANY);
    const { page, faults } = await window.tab(`/models/${name}`, { token: (await signIn()).token });
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText(`51 to 51 of ${MANY}`).waitFor();
    const last = await page.getByLabel('Version').locator('option').allInnerTexts();
    expect(last).toHaveLength(1);
    await page.getByText(`Tags`).waitFor();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.getByText(`1 to 50 of ${MANY}`).waitFor();
    const version = page.getByLabel('Version');
    const text = last[0] === 'v1' ? 'v2' : 'v1';
    await version.selectOption(text);
    if (text === 'v1') await page.getByText(digest, { exact: true }).waitFor();
    await screenshot(page, 'model-versions-1280');
    expect(faults).toEqual([]);
  });

  it.each([
    ['without a registry', undefined, 'No registry is configured'],
    ['with a registry that does not answer', 'http://127.0.0.1:', 'The registry has not been read yet'],
  ])('say how to set up a registry: %s', async (_, address, title) => {
    const REGISTRY_URL = address === undefined ? '' : address + (await freePort());
    const platform = await startOnDatabase({ REGISTRY_URL });
    try {
      const { token } = await signIn(newWallet(), platform.url);
      const { page, faults } = await window.tab('/models', { token, url: platform.url });
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByText('REGISTRY_URL').waitFor();
      await expectAccessible(page);
      expect(faults).toEqual([]);
    } finally {
      await platform.stop();
    }
  });
});
