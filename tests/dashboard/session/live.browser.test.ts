import { expect, it } from '@jest/globals';
import type { WebSocketRoute } from 'playwright-core';
import { describeInBrowser } from '../../kit/browser/browser.js';
import { grant, signIn } from '../../kit/accounts/wallet.js';

const FAILED = { message: 'accounts does not answer.', extensions: { code: 'UNAVAILABLE' } };

describeInBrowser('what is shown live', (window) => {
  it('goes on after the server has ended its subscription with an error that passes', async () => {
    const user = await signIn();
    await grant(user, '3');
    // Who has no private network is refused its subscription, and that is no interruption.
    const { page, faults } = await window.tab('/', { token: user.token });
    const followed: { readonly id: string; readonly socket: WebSocketRoute }[] = [];
    await page.routeWebSocket(/\/graphql$/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        const { type, id, payload } = JSON.parse(String(message));
        if (type === 'subscribe' && payload.query.includes('creditBalanceChanged')) followed.push({ id, socket });
        server.send(message);
      });
    });
    await page.reload();
    const balance = page.getByRole('banner').getByRole('link', { name: /^Credit balance/ });
    await balance.getByText('3.00').waitFor();
    for (const { id, socket } of followed.splice(0)) {
      socket.send(JSON.stringify({ id, type: 'next', payload: { data: null, errors: [FAILED] } }));
      socket.send(JSON.stringify({ id, type: 'complete' }));
    }
    await page.getByText('Reconnecting').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await grant(user, '2');
    await balance.getByText('5.00').waitFor();
    expect(followed).toHaveLength(1);
    expect(faults).toEqual([]);
  });
});
