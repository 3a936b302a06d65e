import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { packageRoot } from '../../../kernel/package-root.js';
import { BrowserWindow, CHROMIUM } from './chromium.js';
import { sayExpected } from '../expected-lines.js';
import type { Signer } from '../../../sdk/src/index.js';
import type { Json } from '../platform.js';
import { personalSign, type Wallet } from '../accounts/wallet.js';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of WCAG 2.2 A and AA, and nothing about elements that keep them. */
const AXE_OPTIONS = JSON.stringify({
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  selectors: false,
  preload: false,
});

/** The widths at which every page is tried: a phone and a desktop. */
export const WIDTHS = [375, 1280] as const;

/** Where screenshots are written; git ignores it. */
const SCREENSHOTS = join(packageRoot(), 'artefacts/dashboard');

/** Describes tests that need a browser. Where no Chromium is installed, they are passed over with a word. */
export function describeInBrowser(name: string, tests: (window: BrowserWindow) => void): void {
  const executable = CHROMIUM;
  if (executable === undefined) {
    describe(name, () => {
      it('is not tried without Chromium', () => {
        sayExpected('chromium is not installed: the dashboard is not tried in a browser');
      });
    });
    return;
  }
  describe(name, () => {
    const window = new BrowserWindow(executable);
    beforeAll(() => window.open());
    afterAll(() => window.close());
    tests(window);
  });
}

/** Checks accessibility by the rules of WCAG 2.2 A and AA, and that the page is not wider than its window. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const { violations } = (await page.evaluate(`axe.run(document, ${AXE_OPTIONS})`)) as Json;
  const found = violations.map(({ id, nodes }: Json) => `${id}: ${nodes.map(({ html }: Json) => html).join(' ')}`);
  expect(found).toEqual([]);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect({ overflow }).toEqual({ overflow: 0 });
}

/** Waits until nothing on the page says that it is loading. */
export async function loaded(page: Page): Promise<void> {
  const loading = page.getByRole('status', { name: 'Loading' });
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' });
}

/** Waits until the boxes of the network have their places. */
export async function placed(page: Page): Promise<void> {
  await page.locator('.canvas[aria-busy="false"]').waitFor();
}

/** Holds requests with a word in their address or body. The returned function sends them to the server. */
export async function hold(page: Page, word: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/graphql$|\/rename_files$/, async (route, request) => {
    if (`${request.url()} ${request.postData() ?? ''}`.includes(word)) await released;
    await route.continue();
  });
  return () => release();
}

/** Holds the answer to the first request with a word in its body. Later requests with the word are sent as they are. */
export async function holdFirstAnswer(page: Page, word: string): Promise<HeldAnswer> {
  let give = (): void => undefined;
  let release = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  let isFirst = true;
  await page.route(/\/graphql$/, async (route, request) => {
    if (!isFirst || !(request.postData() ?? '').includes(word)) return route.fallback();
    isFirst = false;
    const response = await route.fetch();
    give();
    await released;
    await route.fulfill({ response });
  });
  return { given, release: () => release() };
}

/** An answer that the server has given, and that the page does not have before its release. */
interface HeldAnswer {
  readonly given: Promise<void>;
  readonly release: () => void;
}

/** Waits for the answer to the next request with a word in its body, as the page sees it. */
export async function answered(page: Page, word: string): Promise<void> {
  const response = await page.waitForResponse((reply) => reply.request().postData()?.includes(word) === true);
  await response.finished();
}

/** Writes a picture of the page to the folder of artefacts. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}

/** Checks a page in light and in dark, and writes a picture of each. */
export async function expectInBothColors(page: Page, picture: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    await screenshot(page, colorScheme === 'dark' ? `${picture}-dark` : picture);
  }
}

/** Writes figures to the folder of artefacts. */
export function note(name: string, figures: object): void {
  mkdirSync(SCREENSHOTS, { recursive: true });
  writeFileSync(join(SCREENSHOTS, `${name}.json`), JSON.stringify(figures));
}

/** Puts an Ethereum wallet and a Substrate account into the page, as extensions of a browser do. @param prove signs for the account */
export async function injectWallets(page: Page, wallet: Wallet, prove?: Signer['prove']): Promise<void> {
  await page.exposeFunction('signInTest', (hex: string) =>
    personalSign(wallet, Buffer.from(hex.slice(2), 'hex').toString()),
  );
  await page.exposeFunction('signRawTest', (hex: string) =>
    prove?.(`<Bytes>${Buffer.from(hex.slice(2), 'hex').toString()}</Bytes>`),
  );
  await page.addInitScript(`
    const provider = { request: async ({ method, params }) =>
      method === 'personal_sign' ? window.signInTest(params[0]) : ['${wallet.address}'] };
    const detail = { info: { uuid: 'test', name: 'Test wallet', icon: '' }, provider };
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    window.addEventListener('eip6963:requestProvider', announce);
    window.injectedWeb3 = { 'test-signer': { enable: async () => ({
      accounts: { get: async () => [{ address: '${wallet.substrateAddress}', name: 'Test account' }] },
      signer: ${prove ? '{ signRaw: async ({ data }) => ({ signature: await window.signRawTest(data) }) }' : '{}'},
    }) } };
  `);
}
