import { beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, loaded, screenshot, WIDTHS } from '../kit/browser/browser.js';
import { HEIGHT, type Tab } from '../kit/browser/chromium.js';
import { enrolledMachine } from '../kit/network/network.js';
import { openPage } from '../kit/payments/payments.js';
import { asAdmin, graphql } from '../kit/platform.js';
import { grant, signInWithNetwork, type SignedIn } from '../kit/accounts/wallet.js';

/** Every page that opens without a parameter, with its heading. */
const PAGES = [
  ['/', 'Home'],
  ['/network', 'Network'],
  ['/files', 'Files'],
  ['/files/deleted', 'Deleted folders'],
  ['/buckets', 'Buckets'],
  ['/models', 'Models'],
  ['/certificates', 'Certificates'],
  ['/machines', 'Machines'],
  ['/machines/new', 'Create a machine'],
  ['/billing', 'Billing'],
  ['/billing/payments', 'Payments'],
  ['/notifications', 'Notifications'],
  ['/notifications/preferences', 'Notification preferences'],
  ['/notifications/webhooks', 'Webhooks'],
  ['/account', 'Sessions and tokens'],
  ['/account/audit-log', 'Audit log'],
  ['/developer', 'Developer'],
] as const;

const NOTIFY = `mutation ($to: String!) {
  adminNotify(substrateAddress: $to, kind: account, title: "Welcome", text: "The first notification.")
}`;

/** A wall of screens, or one that is far away. */
const WIDEST = 3840;

/** Each page is loaded in both colours: in dark ones first at every other width, and of every other page. */
const cases = PAGES.flatMap(([path, heading], page) =>
  [...WIDTHS, WIDEST].flatMap((width, place) => {
    const isDarkFirst = (page + place) % 2 === 1;
    return [isDarkFirst, !isDarkFirst].map((isDark) => ({ path, heading, width, isDark }));
  }),
);

/** Texts with lines of more than about a hundred characters. */
const LONG_LINES = `[...document.querySelectorAll('main p')].filter((text) => {
  const range = document.createRange();
  range.selectNodeContents(text);
  return range.getBoundingClientRect().width > 55 * parseFloat(getComputedStyle(text).fontSize);
}).map((text) => text.textContent)`;

describeInBrowser('a page', (window) => {
  let user: SignedIn;
  /** One for all sizes and colours: a window takes longer to open than a page. */
  let tab: Tab | undefined;
  /** The path and width with which its page was loaded; it follows the colours, and a user may load 60 pages a minute. */
  let loadedAs = '';
  beforeAll(async () => {
    user = await signInWithNetwork();
    await Promise.all([grant(user, '25.5'), openPage(user, 25)]);
    await asAdmin(NOTIFY, { to: user.substrateAddress });
    await enrolledMachine(user, { vm_label: 'build-1' });
    await graphql('mutation { issueMasterToken { role } }', { token: user.token });
  });

  it.each(cases)(
    'is accessible and fits: $path at $width px, dark: $isDark',
    async ({ path, heading, width, isDark }) => {
      const { page, faults } = (tab ??= await window.tab('/', { token: user.token }));
      await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
      if (loadedAs !== `${path} ${width}`) {
        await page.setViewportSize({ width, height: HEIGHT });
        await page.goto(path);
        loadedAs = `${path} ${width}`;
      }
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await loaded(page);
      await page.getByText('25.50').first().waitFor();
      const name = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
      await screenshot(page, `${name}-${width}${isDark ? '-dark' : ''}`);
      await expectAccessible(page);
      expect(await page.evaluate(LONG_LINES)).toEqual([]);
      expect(await page.title()).toBe(`${heading} · Archipelago`);
      expect(faults).toEqual([]);
    },
  );

  it('is opened from the palette by keyboard', async () => {
    const { page } = await window.tab('/', { token: user.token });
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search pages, commands and items' }).fill('bill');
    await expectAccessible(page);
    await screenshot(page, 'palette-1280');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Billing' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/billing');
  });

  it('has the focus where it was when the palette is closed', async () => {
    const { page } = await window.tab('/', { token: user.token });
    const link = page.getByRole('link', { name: 'Files', exact: true });
    await link.focus();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search pages, commands and items' });
    await page.locator(':focus').and(search).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(':focus').and(link).waitFor();
    await page.close();
  });

  it('is chosen in the palette within sight', async () => {
    const { page } = await window.tab('/', { token: user.token });
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    const list = page.getByRole('listbox', { name: 'Results' });
    await list.waitFor();
    const options = await list.getByRole('option').count();
    for (let presses = 1; presses < options; presses += 1) await page.keyboard.press('ArrowDown');
    const box = await list.boundingBox();
    const option = await page.locator('[role=option][aria-selected=true]').boundingBox();
    if (!box || !option) throw new Error('no option is selected');
    expect(option.y).toBeGreaterThanOrEqual(box.y);
    expect(option.y + option.height).toBeLessThanOrEqual(box.y + box.height + 1);
    await page.close();
  });

  it('is opened from the drawer on a phone', async () => {
    const { page } = await window.tab('/', { token: user.token, width: 375 });
    const button = page.getByRole('button', { name: 'Open the menu' });
    await button.click();
    await page.locator('.sidebar a:focus').first().waitFor();
    await expectAccessible(page);
    await screenshot(page, 'drawer-375');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Network', exact: true }).waitFor({ state: 'hidden' });
    await page.locator(':focus').and(button).waitFor();
    await button.click();
    await page.getByRole('link', { name: 'Network', exact: true }).click();
    await page.getByRole('heading', { name: 'Network', level: 1 }).waitFor();
    await button.click();
    await page.getByRole('link', { name: 'Network', exact: true }).click();
    await page.getByRole('link', { name: 'Network', exact: true }).waitFor({ state: 'hidden' });
  });

  it('can be used when the screen becomes wide while the drawer is open', async () => {
    const { page } = await window.tab('/', { token: user.token, width: 375 });
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.locator('.main-column[inert]').waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('main').getByRole('link', { name: 'Open the network' }).click();
    await page.getByRole('heading', { name: 'Network', level: 1 }).waitFor();
  });

  it('keeps the buttons of a table in sight on a phone', async () => {
    const width = 375;
    const { page } = await window.tab('/account', { token: user.token, width });
    const button = page.getByRole('row').getByRole('button', { name: 'End', exact: true }).first();
    await button.scrollIntoViewIfNeeded();
    const place = await button.boundingBox();
    expect((place?.x ?? width) + (place?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(await page.evaluate('document.querySelector(".table-scroll").scrollLeft')).toBe(0);
  });

  it('says when nothing is at an address', async () => {
    const { page } = await window.tab('/machines/no-such-thing/here', { token: user.token });
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
    await expectAccessible(page);
  });

  it.each([375, 1280])('leads to the dashboard from an address outside it, at %i px', async (width) => {
    const { page, faults } = await window.tab('/dashbord', { token: user.token, width });
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
    await expectAccessible(page);
    await screenshot(page, `not-found-${width}`);
    await page.getByRole('link', { name: 'dashboard' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(faults).toEqual([]);
  });

  it('says that it is offline, and goes on when it is back', async () => {
    const { page } = await window.tab('/', { token: user.token });
    await page.getByText('Live').waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline').waitFor();
    expect(await page.getByText('Live').count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'detached' });
    await page.getByText('Live').waitFor();
  });

  it('keeps the colours that the user chose', async () => {
    const { page } = await window.tab('/', { token: user.token });
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Switch theme' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });
});
