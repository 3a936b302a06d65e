import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { packageRoot } from '../../kernel/package-root.js';
import { sayExpected } from './expected-lines.js';
import { platform, type Json } from './platform.js';
import { personalSign, type Wallet } from './wallet.js';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The widths at which every page is tried: a phone and a desktop. */
export const WIDTHS = [375, 1280] as const;

const HEIGHT = 800;

/** Where screenshots are written; git ignores it. */
const SCREENSHOTS = join(packageRoot(), 'artefacts/dashboard');

const EXECUTABLE = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find(existsSync);

/** No sandbox, as tests may run as root, and nothing that asks hosts of the internet. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Describes tests that need a browser. Where no Chromium is installed, they are passed over with a word. */
export function describeInBrowser(name: string, tests: (window: BrowserWindow) => void): void {
  if (EXECUTABLE === undefined) {
    describe(name, () => {
      it('is not tried without Chromium', () => {
        sayExpected('chromium is not installed: the dashboard is not tried in a browser');
      });
    });
    return;
  }
  describe(name, () => {
    const window = new BrowserWindow(EXECUTABLE);
    beforeAll(() => window.open());
    afterAll(() => window.close());
    tests(window);
  });
}

/** A tab with what it did wrong so far. */
export interface Tab {
  readonly page: Page;
  /** Errors of scripts, refusals by the Content-Security-Policy and requests to other hosts. */
  readonly faults: readonly string[];
}

interface TabOptions {
  readonly width?: number;
  /** The token of who is signed in. */
  readonly token?: string;
  readonly isDark?: boolean;
  /** A tab of the same browser session as this one. */
  readonly besides?: Page;
  /** The URL of another platform. */
  readonly url?: string;
}

/** A browser without a screen, for one suite. */
export class BrowserWindow {
  private browser: Browser | undefined;

  constructor(private readonly executablePath: string) {}

  async open(): Promise<void> {
    this.browser = await chromium.launch({ executablePath: this.executablePath, args: ARGUMENTS });
  }

  async close(): Promise<void> {
    await this.browser?.close();
  }

  /** Opens a path of the dashboard in a new tab. */
  async tab(path: string, options: TabOptions = {}): Promise<Tab> {
    const { token, url = platform().url } = options;
    const context = options.besides?.context() ?? (await this.contextOf(options, url));
    if (token !== undefined && !options.besides) await beginSession(context, token);
    const page = await context.newPage();
    const faults = watchFaults(page, url);
    await page.goto(path);
    return { page, faults };
  }

  private async contextOf({ width = 1280, isDark = false }: TabOptions, url: string): Promise<BrowserContext> {
    if (!this.browser) throw new Error('The browser is not open.');
    return this.browser.newContext({
      baseURL: url,
      viewport: { width, height: HEIGHT },
      colorScheme: isDark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
    });
  }
}

/** Signs in a browser: its cookie is what a sign-in on the page leaves. */
async function beginSession(context: BrowserContext, token: string): Promise<void> {
  const headers = { authorization: `Token ${token}`, 'x-requested-with': 'XMLHttpRequest' };
  const reply = await context.request.post('/dashboard/session', { headers, data: {} });
  if (!reply.ok()) throw new Error(`${reply.status()}: ${await reply.text()}`);
}

function watchFaults(page: Page, url: string): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|WebSocket connection/.test(message.text()))
      faults.push(message.text());
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(url).origin && !/^(?:data|blob):$/.test(protocol)) faults.push(`asks ${request.url()}`);
  });
  return faults;
}

/** Checks accessibility by the rules of WCAG 2.2 A and AA, and that the page is not wider than its window. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const run = `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`;
  const { violations } = (await page.evaluate(run)) as Json;
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

/** Writes a picture of the page to the folder of artefacts. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}

/** Writes figures to the folder of artefacts. */
export function note(name: string, figures: object): void {
  mkdirSync(SCREENSHOTS, { recursive: true });
  writeFileSync(join(SCREENSHOTS, `${name}.json`), JSON.stringify(figures));
}

/** Puts an Ethereum wallet and a Substrate account into the page, as extensions of a browser do. */
export async function injectWallets(page: Page, wallet: Wallet): Promise<void> {
  await page.exposeFunction('signInTest', (hex: string) =>
    personalSign(wallet, Buffer.from(hex.slice(2), 'hex').toString()),
  );
  await page.addInitScript(`
    const provider = { request: async ({ method, params }) =>
      method === 'personal_sign' ? window.signInTest(params[0]) : ['${wallet.address}'] };
    const detail = { info: { uuid: 'test', name: 'Test wallet', icon: '' }, provider };
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    window.addEventListener('eip6963:requestProvider', announce);
    window.injectedWeb3 = { 'test-signer': { enable: async () => ({
      accounts: { get: async () => [{ address: '${wallet.substrateAddress}', name: 'Test account' }] },
      signer: {},
    }) } };
  `);
}
