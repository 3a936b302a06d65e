import { expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, screenshot, WIDTHS } from '../kit/browser/browser.js';
import { platform } from '../kit/platform.js';
import { signIn } from '../kit/accounts/wallet.js';

describeInBrowser('the developer page', (window) => {
  it.each(WIDTHS)('lists the requests of this tab, until it is reloaded, at %i px', async (width) => {
    const { token } = await signIn();
    const { page, faults } = await window.tab('/machines', { token, width });
    await page.getByRole('heading', { name: 'No machines yet' }).waitFor();
    await page.evaluate(`history.pushState(null, '', '/developer'); dispatchEvent(new PopStateEvent('popstate'))`);
    const row = page.getByRole('row', { name: /query .*vmInstances/ }).first();
    await row.getByText(/^\d+\sms$/).waitFor();
    await row.getByText('200', { exact: true }).waitFor();
    await expectAccessible(page);
    await row.scrollIntoViewIfNeeded();
    await screenshot(page, `developer-requests-${width}`);
    await page.reload();
    await page.getByRole('heading', { name: 'Developer', level: 1 }).waitFor();
    expect(await row.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('leads to an explorer that is signed in, with the token in no address and no storage', async () => {
    const { token, wallet } = await signIn();
    const { page } = await window.tab('/developer', { token });
    // The page has its tokens: if it is left before, and the explorer needs more than the 20 s in which a refresh may be repeated, the session ends.
    await page.getByRole('row').getByText('200', { exact: true }).first().waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('link', { name: 'Open the explorer' }).click();
    await page.locator('app-root, altair-root').first().waitFor();
    const own = await page.evaluate(`fetch('/graphql', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ me { substrateAddress } }"}',
    }).then((answer) => answer.json())`);
    expect(own).toEqual({ data: { me: { substrateAddress: wallet.substrateAddress } } });
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])');
    expect(`${String(kept)} ${asked.join(' ')}`).not.toMatch(/Bearer|eyJ/);
    // The explorer is still drawn: a page that is busy for 3 s after its socket opened does not sign in in time.
    await page.waitForLoadState('networkidle');
    await page.evaluate('new Promise(requestIdleCallback).then(() => undefined)');
    const subscribed = await page.evaluate(`new Promise((resolve) => {
      const socket = new WebSocket(${JSON.stringify(`${platform().url.replace('http', 'ws')}/graphql`)}, 'graphql-transport-ws');
      const payload = { Authorization: 'Token <API token>' };
      socket.onclose = ({ code, reason }) => resolve({ code, reason });
      socket.onopen = () => socket.send(JSON.stringify({ type: 'connection_init', payload }));
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === 'connection_ack')
          socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: 'subscription { creditBalanceChanged { balance } }' } }));
        else resolve(message.payload);
      };
    })`);
    expect(subscribed).toEqual({ data: { creditBalanceChanged: { balance: '0' } } });
  });
});
