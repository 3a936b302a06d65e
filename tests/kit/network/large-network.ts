import type { Page } from 'playwright-core';

/** The network that the dashboard is measured with. */
export const LARGE_DRAWING = { peers: 2_000, groups: 24, policies: 60, resources: 20, routers: 4 };

/** Boxes that the first picture shows at least. */
export const SHOWN_BOXES = 20;

/** Pixels from the middle of a box to where the pointer takes it, away from its buttons. */
const GRIP = 12;

/** Waits until the boxes are drawn, has them arranged, and waits until their places are stored: nothing moves by itself then. */
export async function arranged(page: Page): Promise<void> {
  await page.locator('.react-flow__node').nth(SHOWN_BOXES).waitFor();
  const stored = page.waitForResponse((response) => /storeNodePositions/.test(response.request().postData() ?? ''));
  await page.getByRole('button', { name: 'Arrange' }).click();
  await stored;
}

/** Moves the pointer on a circle from a place. */
export async function circle(page: Page, { x, y }: { readonly x: number; readonly y: number }, moves: number) {
  for (let move = 1; move <= moves; move += 1) {
    const angle = (move / moves) * 2 * Math.PI;
    await page.mouse.move(x + 120 * Math.sin(angle), y + 60 * (1 - Math.cos(angle)));
  }
}

/** Takes the first box and moves it on a circle. */
export async function drag(page: Page, moves: number): Promise<void> {
  const box = await page.locator('.react-flow__node').first().boundingBox();
  if (!box) throw new Error('no box is drawn');
  const grip = { x: box.x + box.width / 2, y: box.y + box.height - GRIP };
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await circle(page, grip, moves);
  await page.mouse.up();
}
