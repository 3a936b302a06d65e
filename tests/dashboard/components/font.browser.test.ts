import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../kit/browser/browser.js';
import { signIn } from '../../kit/accounts/wallet.js';

/** Kilobytes that the font of the first page may have. */
const MAX_KILOBYTES = 26;

/** What interfaces and names in Western European languages are written with. */
const LATIN = 'Größe 0123456789 “ça va” – Œuvre, naïve €5';

/** Names with letters that the font does not have: of Poland, Greece and Ukraine. */
const OTHERS = ['Łódź', 'Αθήνα', 'Київ'];

/** Fonts that Chromium draws a text with. */
async function fontsOf(page: Page, text: string): Promise<readonly { isCustomFont: boolean; glyphCount: number }[]> {
  await page.evaluate(
    `document.querySelector('h1').textContent = ${JSON.stringify(text)}; document.fonts.ready.then(() => undefined)`,
  );
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts;
}

/** Widths of a text at each weight that pages use. */
const WIDTHS_BY_WEIGHT = `[400, 500, 550, 600, 620, 650, 700].map((weight) => {
  const heading = document.querySelector('h1');
  heading.style.fontWeight = weight;
  const range = document.createRange();
  range.selectNodeContents(heading);
  return range.getBoundingClientRect().width;
})`;

/** Widths of two numbers of four digits, as in tables. */
const WIDTHS_OF_NUMBERS = `['1111', '8040'].map((number) => {
  const heading = document.querySelector('h1');
  heading.textContent = number;
  heading.style.fontVariantNumeric = 'tabular-nums';
  const range = document.createRange();
  range.selectNodeContents(heading);
  return range.getBoundingClientRect().width;
})`;

describeInBrowser('the font', (window) => {
  it('is small, draws Latin text in every weight, and leaves other letters to the system', async () => {
    const { token } = await signIn();
    const { page, faults } = await window.tab('/developer', { token });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const sizes = await page.evaluate<number[]>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2')).map(({ encodedBodySize }) => encodedBodySize / 1000)`,
    );
    expect(sizes).toEqual([expect.any(Number)]);
    expect(sizes[0]).toBeLessThan(MAX_KILOBYTES);
    expect(await fontsOf(page, LATIN)).toEqual([
      expect.objectContaining({ isCustomFont: true, glyphCount: LATIN.length }),
    ]);
    const widths = await page.evaluate<number[]>(WIDTHS_BY_WEIGHT);
    expect(new Set(widths).size).toBe(widths.length);
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
    const [ones, others] = await page.evaluate<number[]>(WIDTHS_OF_NUMBERS);
    expect(others).toBe(ones);
    for (const name of OTHERS) {
      const fonts = await fontsOf(page, name);
      expect({ name, hasOther: fonts.some(({ isCustomFont }) => !isCustomFont) }).toEqual({ name, hasOther: true });
    }
    expect(faults).toEqual([]);
  });
});
