import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { platform } from '../platform.js';

export const HEIGHT = 800;

/** A wait only ends a test that hangs: on a busy machine Playwright's 30 s pass before a file is encrypted and sent. */
const MAX_WAIT_MS = 300_000;

/** The browser of this machine; undefined if it has none. */
export const CHROMIUM = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find(existsSync);

/**
 * The list of Playwright, which this one replaces, and the popups of the address bar: each window would start a process
 * for them, which takes a second of CPU.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];

/** No sandbox, as tests may run as root, and nothing that asks hosts of the internet. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

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
  /** Runs in the tab before the page. */
  readonly script?: string;
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
    if (options.script !== undefined) await page.addInitScript(options.script);
    const faults = watchFaults(page, url);
    await page.goto(path);
    return { page, faults };
  }

  private async contextOf({ width = 1280, isDark = false }: TabOptions, url: string): Promise<BrowserContext> {
    if (!this.browser) throw new Error('The browser is not open.');
    const context = await this.browser.newContext({
      baseURL: url,
      viewport: { width, height: HEIGHT },
      colorScheme: isDark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
    });
    context.setDefaultTimeout(MAX_WAIT_MS);
    return context;
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

/** Returns a meter of the main thread's work so far in seconds, as Chromium counts it: other processes do not add to it. */
export async function startMeter(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
  };
}

/** A fixed piece of work, about 30 ms of a fast core. */
const UNIT = `{
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: 'peer-' + id, tags: ['a', 'b'] }));
  for (let round = 0; round < 20; round += 1) JSON.parse(JSON.stringify(rows));
}`;

/** Returns the seconds of a fixed piece of work in the page, by which other work is divided: machines differ, their ratio does not. */
export async function unitOfWork(page: Page, workSeconds: () => Promise<number>): Promise<number> {
  const start = await workSeconds();
  await page.evaluate(UNIT);
  return (await workSeconds()) - start;
}
