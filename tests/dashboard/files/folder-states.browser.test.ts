import { expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, hold } from '../../kit/browser/browser.js';
import { userWithFiles } from '../../kit/files/stored-folder.js';

describeInBrowser('the pages of folders', (window) => {
  it('has a title and the way back while a folder is loaded, and when there is none', async () => {
    const { user, folder } = await userWithFiles();
    const { page } = await window.tab(`/files/${folder}`, { token: user.token });
    const release = await hold(page, 'storageSummary');
    await page.reload();
    await page.getByRole('heading', { name: 'Folder', level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Files' }).waitFor();
    expect(await page.title()).toBe('Folder · Archipelago');
    release();
    await page.getByRole('heading', { name: 'Holiday photos', level: 1 }).waitFor();
    await page.goto(`/files/${'0'.repeat(64)}`);
    await page.getByRole('heading', { name: 'Folder not found', level: 1 }).waitFor();
    await expectAccessible(page);
  });

  it('leads to the deleted folders behind a full page', async () => {
    const { user, folder } = await userWithFiles();
    const { page } = await window.tab(`/files/${folder}`, { token: user.token });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete the folder' }).click();
    await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
    // As if 200 others were deleted after it.
    await page.route('**/graphql', async (route, request) => {
      const { query, variables } = request.postDataJSON();
      if (!query.includes('deletedFolders')) return route.continue();
      const postData = JSON.stringify({ query, variables: { ...variables, offset: 0 } });
      if (variables.offset > 0) return route.continue({ postData });
      const response = await route.fetch({ postData });
      const [row] = (await response.json()).data.deletedFolders;
      const deletedFolders = Array.from({ length: 200 }, (_, at) => ({
        ...row,
        folderId: `${at}`,
        label: `Other ${at}`,
      }));
      return route.fulfill({ response, json: { data: { deletedFolders } } });
    });
    await page.getByRole('link', { name: 'Deleted folders' }).click();
    await page.getByRole('cell', { name: 'Other 0', exact: true }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'More' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    const row = page.getByRole('cell', { name: 'Holiday photos', exact: true });
    await row.waitFor();
    // Loaded again, the list is as long as before.
    let answers = 0;
    const again = page.waitForResponse(
      (reply) => reply.request().postData()?.includes('deletedFolders') === true && (answers += 1) === 2,
    );
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
    await again;
    await row.waitFor();
  });
});
