import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RunningPlatform } from '../kit/arrangements.js';
import { S3_KEYS } from '../kit/blobs/s3.js';
import { describeInBrowser, expectAccessible, screenshot, WIDTHS } from '../kit/browser/browser.js';
import { startOnDatabase } from '../kit/database/own-database.js';
import { startPolicyStore, type PolicyStore } from '../kit/storage/policy-store.js';
import { bucketOf, bucketState, newBucketName, subTokenOf } from '../kit/storage/sub-token.js';
import { newWallet, signIn } from '../kit/accounts/wallet.js';
import { until } from '../kit/watch.js';

describeInBrowser('the buckets page', (window) => {
  it.each(WIDTHS)('shows keys as a tree and explains who can read an object, at %i px', async (width) => {
    const user = await signIn();
    const bucket = await bucketOf(user);
    const scope = { scopeType: 'single_bucket', bucketNames: [bucket] };
    const { id } = await subTokenOf(user, { name: 'backup server', ...scope, allowedPrefixes: ['backups/'] });
    await subTokenOf(user, { name: 'auditor', ...scope, actions: ['read'], parentId: id });
    const { page, faults } = await window.tab('/buckets', { token: user.token, width });
    const keys = page.getByRole('list', { name: 'Access keys' }).getByRole('listitem');
    await keys.first().waitFor();
    expect((await keys.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(['backup server', 'auditor']);
    expect(await keys.first().innerText()).toMatch(/ · created /);
    await page.getByText('When a key was last used is not known here').waitFor();
    await page.getByLabel('Key of the object').fill('backups/monday.tar');
    await page.getByRole('button', { name: 'Explain' }).click();
    const verdicts = page.getByRole('list', { name: 'Result for each key' }).getByRole('listitem');
    await verdicts.first().waitFor();
    expect(await verdicts.count()).toBe(2);
    await expectAccessible(page);
    await screenshot(page, `buckets-explained-${width}`);
    await page.getByLabel('Action').selectOption('write');
    await verdicts.first().waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it.each(WIDTHS)('says what must be configured where there is no object store, at %i px', async (width) => {
    const user = await signIn();
    const { page, faults } = await window.tab('/buckets', { token: user.token, width });
    await page.getByRole('heading', { name: 'No object store is configured' }).waitFor();
    await page.getByText('BLOB_URL').waitFor();
    expect(await page.getByRole('button', { name: 'New' }).count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, `buckets-no-store-${width}`);
    const name = await bucketOf(user);
    await page.reload();
    await page.getByRole('cell', { name }).waitFor();
    await page.getByRole('heading', { name: 'No object store is configured' }).waitFor();
    expect(await page.getByRole('button', { name: 'New bucket' }).count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, `buckets-without-store-${width}`);
    expect(faults).toEqual([]);
  });
});

describeInBrowser('the buckets page of a platform with an object store', (window) => {
  let store: PolicyStore;
  let platform: RunningPlatform;
  beforeAll(async () => {
    store = await startPolicyStore();
    platform = await startOnDatabase({ BLOB_URL: store.url, ...S3_KEYS });
  });
  afterAll(async () => {
    await platform.stop();
    await store.close();
  });

  it('makes a bucket and a key, whose secret it shows once, and revokes the key', async () => {
    const { url } = platform;
    const { token } = await signIn(newWallet(), url);
    const { page, faults } = await window.tab('/buckets', { token, url });
    await page.getByRole('heading', { name: 'No buckets yet' }).waitFor();
    const name = newBucketName();
    await page.getByRole('button', { name: 'New bucket' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create the bucket' }).click();
    await page.getByRole('cell', { name }).waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('laptop');
    await page.getByLabel('Bucket', { exact: true }).last().selectOption(name);
    await expectAccessible(page);
    await screenshot(page, 'buckets-new-key-1280');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('heading', { name: 'Save the secret now' }).waitFor();
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByText(`read in ${name}`).waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByRole('heading', { name: 'No access keys' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('confirms before it overwrites a policy that was changed in the store', async () => {
    const { url } = platform;
    const { token } = await signIn(newWallet(), url);
    const bucket = await bucketOf({ token, url });
    const inSync = () => until(async () => (await bucketState({ token, url }, bucket))?.state === 'in_sync');
    // What is on its way to the store would take the foreign change with it.
    await inSync();
    await subTokenOf({ token, url }, { name: 'laptop', scopeType: 'single_bucket', bucketNames: [bucket] });
    await inSync();
    store.policies.set(bucket, store.policies.get(bucket)?.replace('s3:GetObject', 's3:*'));
    const { page, faults } = await window.tab('/buckets', { token, url });
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Mend' }).click();
    const question = page.getByRole('dialog', { name: `Overwrite the policy of ${bucket}?` });
    await expectAccessible(page);
    await screenshot(page, 'buckets-overwrite-1280');
    const { writes } = store;
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(store.writes).toBe(writes);
    await page.getByRole('button', { name: 'Mend' }).click();
    await question.getByRole('button', { name: 'Overwrite it' }).click();
    await page.getByText(`The policy of ${bucket} is written again.`).waitFor();
    await page.getByRole('cell', { name: 'in force' }).waitFor();
    expect(faults).toEqual([]);
  });
});
