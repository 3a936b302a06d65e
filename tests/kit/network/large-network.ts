import type { Page } from 'playwright-core';

/** The network that the dashboard is measured with. */
export const LARGE_DRAWING = { peers: 2_000, groups: 24, policies: 60, resources: 20, routers: 4 };

/** Boxes that the first picture shows at least. */
export const SHOWN_BOXES = 20;

/** Pixels from the middle of a box to where the pointer takes it, away from its buttons. */
const GRIP = 12;

/**
 * Waits until the boxes are drawn, has them arranged, and waits until their places are stored and read again: nothing moves
 * by itself then.
 */
export async function arranged(page: Page): Promise<void> {
  await page.locator('.react-flow__node').nth(SHOWN_BOXES).waitFor();
  let isStored = false;
  const readAgain = page.waitForResponse((response) => {
    const document = response.request().postData() ?? '';
    isStored ||= document.includes('storeNodePositions');
    return isStored && /\bnodePositions\b/.test(document);
  });
  await page.getByRole('button', { name: 'Arrange' }).click();
  await (await readAgain).finished();
}

/** Moves the pointer on a circle from a place. */
export async function circle(page: Page, { x, y }: { readonly x: number; readonly y: number }, moves: number) {
  for (let move = 1; move <= moves; move += 1) {
    const angle = (move / moves) * 2 * Math.PI;
    await page.mouse.move(x + 120 * Math.sin(angle), y + 60 * (1 - Math.cos(angle)));
  }
}

/** Presses on the first box. Returns where. */
export async function grab(page: Page): Promise<{ readonly x: number; readonly y: number }> {
  const box = await page.locator('.react-flow__node').first().boundingBox();
  if (!box) throw new Error('no box is drawn');
  const grip = { x: box.x + box.width / 2, y: box.y + box.height - GRIP };
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  return grip;
}

/** Takes the first box and moves it on a circle. */
export async function drag(page: Page, moves: number): Promise<void> {
  await circle(page, await grab(page), moves);
  await page.mouse.up();
}
