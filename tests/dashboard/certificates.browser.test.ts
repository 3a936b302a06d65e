import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Download } from 'playwright-core';
import { readCertificate, signInWithCredits } from '../kit/network/certificate.js';
import { describeInBrowser, expectAccessible, screenshot, WIDTHS } from '../kit/browser/browser.js';
import { signIn } from '../kit/accounts/wallet.js';

describeInBrowser('the certificates page', (window) => {
  it.each(WIDTHS)(
    'issues a certificate for a key that only the browser has, and revokes it, at %i px',
    async (width) => {
      const user = await signInWithCredits();
      const { page, faults } = await window.tab('/certificates', { token: user.token, width });
      const saved: Download[] = [];
      page.on('download', (download) => void saved.push(download));
      await page.getByRole('button', { name: 'Request the certificate' }).click();
      await page.getByText('only on the device').waitFor();
      await expectAccessible(page);
      await screenshot(page, `certificates-issued-${width}`);
      const { body } = await readCertificate(user);
      expect([body.key, saved.map((download) => download.suggestedFilename()).toSorted()]).toEqual([
        null,
        ['config.yml', 'host.key'],
      ]);
      const key = saved.find((download) => download.suggestedFilename() === 'host.key');
      expect(await readFile((await key?.path()) ?? '', 'utf8')).toMatch(/BEGIN NEBULA X25519 PRIVATE KEY/);
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('button', { name: 'Revoke it' }).click();
      await page
        .getByText(/revok(ed|ing)/)
        .first()
        .waitFor();
      expect(faults).toEqual([]);
    },
  );

  it('says why a certificate is not issued', async () => {
    const { token } = await signIn();
    const { page } = await window.tab('/certificates', { token });
    await page.getByRole('button', { name: 'Request the certificate' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/credits/);
  });
});
