import { it } from '@jest/globals';
import { Archipelago, newMnemonic, sourceOf } from '../../../sdk/src/index.js';
import { describeInBrowser, expectAccessible, loaded } from '../../kit/browser/browser.js';
import { groupOf } from '../../kit/network/graph.js';
import { graphql, platform } from '../../kit/platform.js';
import { signInWithNetwork } from '../../kit/accounts/wallet.js';

describeInBrowser('a page with long names on a phone', (window) => {
  it('is not wider than its window', async () => {
    const user = await signInWithNetwork();
    const send = async (query: string, name: string) => {
      const { data, errors } = await graphql(query, { token: user.token, variables: { name } });
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    };
    await groupOf(user, 'g'.repeat(50));
    await send('mutation ($name: String!) { createNetwork(name: $name) { id } }', 'n'.repeat(120));
    await send('mutation ($name: String!) { enrollPeer(vmLabel: $name) { id } }', 'w'.repeat(60));
    await send(
      'mutation ($name: String!) { addWebhookEndpoint(url: $name) { secret } }',
      `https://example.com/${'h'.repeat(300)}`,
    );
    const { data } = await graphql('{ webhookEndpoints { id } }', { token: user.token });
    const files = new Archipelago({ url: platform().url, token: user.token }).files(user.substrateAddress);
    const key = files.key(newMnemonic(), 'F'.repeat(100));
    await files.register(key, 'a laptop');
    const directory = 'd'.repeat(120);
    const relativePath = `${directory}/${'e'.repeat(120)}.txt`;
    await files.upload({ folder: key, relativePath, plaintext: sourceOf(Buffer.from('text')) });
    const paths = [
      '/network?view=peers',
      '/network?view=networks',
      '/network?view=history',
      `/notifications/webhooks/${data.webhookEndpoints[0].id}`,
      `/files/${key.folderHash}`,
      `/files/${key.folderHash}/${directory}`,
    ];
    const { page } = await window.tab('/', { token: user.token, width: 375 });
    for (const path of paths) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await loaded(page);
      await expectAccessible(page);
    }
  });
});
