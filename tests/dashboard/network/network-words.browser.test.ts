import { beforeEach, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, placed } from '../../kit/browser/browser.js';
import { box } from '../../kit/browser/network-page.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';
import { groupOf } from '../../kit/network/graph.js';
import { enrolledMachine } from '../../kit/network/network.js';
import { call, graphql } from '../../kit/platform.js';

let user: SignedIn;
let policy: number;

describeInBrowser('what the network page says', (window) => {
  /** A network of web-1 in the group web and db-1 in the group database, and a policy between the groups. */
  beforeEach(async () => {
    user = await signInWithNetwork();
    const [web, database] = [await groupOf(user, 'web'), await groupOf(user, 'database')];
    await enrolledMachine(user, { vm_label: 'web-1', group: web });
    await enrolledMachine(user, { vm_label: 'db-1', group: database });
    const body = {
      name: 'web-to-db',
      source_group: web,
      dest_group: database,
      protocol: 'tcp',
      ports: ['5432'],
      bidirectional: false,
    };
    ({ id: policy } = (await call('POST /api/network/policies/', { token: user.token, body })).body);
  });

  it('of a peer that is moved: who gains and loses, and no Undo any more after the head has undone it', async () => {
    const { page, faults } = await window.tab('/network', { token: user.token });
    await placed(page);
    await box(page, 'web').getByText('web-1', { exact: true }).dragTo(box(page, 'database'));
    await page.getByText('web-1 is moved from web to database. 1 connection less than before.').waitFor();
    await page.getByRole('button', { name: /^Undo: / }).click();
    await page.getByText('The change is undone.').waitFor();
    await page.getByText('web-1 is moved').waitFor({ state: 'detached' });
    expect(await page.getByRole('status').getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('of a group in use: that it cannot be deleted and why, without a question', async () => {
    const { page, faults } = await window.tab('/network', { token: user.token });
    await placed(page);
    await box(page, 'database').focus();
    await page.keyboard.press('Delete');
    const words =
      'The group database cannot be deleted while it is in use. Policies: tcp 5432 from web to database. Peers that are in no other group: db-1.';
    await page.getByText(words).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click();
    await box(page, 'database').press('Enter');
    await page.getByRole('button', { name: 'Delete the group' }).click();
    await page.getByText(words).waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  it('of a policy that was turned off and on: so, and which fields changed, by names', async () => {
    const change = 'mutation ($id: Int!, $enabled: Boolean!) { updatePolicy(id: $id, enabled: $enabled) { id } }';
    for (const enabled of [false, true])
      await graphql(change, { token: user.token, variables: { id: policy, enabled } });
    const { page, faults } = await window.tab('/network?view=history', { token: user.token });
    const line = (title: string) => page.getByRole('listitem').filter({ hasText: title }).first();
    await line('enabled the policy web-to-db').waitFor();
    await line('disabled the policy web-to-db').locator('summary').click();
    await page.getByText('policy web-to-db: enabled yes no').waitFor();
    await line('made the policy web-to-db').locator('summary').click();
    await page.getByText('policy web-to-db: source group web').waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });
});
