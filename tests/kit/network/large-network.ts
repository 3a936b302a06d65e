import type { Page } from 'playwright-core';

/** The network that the dashboard is measured with. */
export const LARGE_DRAWING = { peers: 2_000, groups: 24, policies: 60, resources: 20, routers: 4 };

/** Boxes that the first picture shows at least. */
export const SHOWN_BOXES = 20;

/** Pixels from the middle of a box to where the pointer takes it, away from its buttons. */
const GRIP = 12;

/** Half the width and half the height of the circle that a box is moved on, in pixels. */
const RADIUS = { x: 120, y: 60 };

/** Pixels from the edge within which React Flow moves the view, and some more. */
const EDGE = 60;

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

/** Moves the pointer on a circle from a place, and waits for `afterMove` after each movement. */
export async function circle(
  page: Page,
  { x, y }: Place,
  moves: number,
  afterMove: () => Promise<unknown> = () => Promise.resolve(),
) {
  for (let move = 1; move <= moves; move += 1) {
    const angle = (move / moves) * 2 * Math.PI;
    await page.mouse.move(x + RADIUS.x * Math.sin(angle), y + RADIUS.y * (1 - Math.cos(angle)));
    await afterMove();
  }
}

/**
 * Presses on the first box that can be moved on the circle without coming near an edge, where React Flow would move the whole
 * view, in each frame and not in each movement. Returns where.
 */
export async function grab(page: Page): Promise<Place> {
  const canvas = await page.locator('.react-flow').boundingBox();
  if (!canvas) throw new Error('no network is drawn');
  for (const node of await page.locator('.react-flow__node').all()) {
    const box = await node.boundingBox();
    if (!box) continue;
    const grip = { x: box.x + box.width / 2, y: box.y + box.height - GRIP };
    if (!isFarFromEdges(grip, canvas)) continue;
    await page.mouse.move(grip.x, grip.y);
    await page.mouse.down();
    return grip;
  }
  throw new Error('no box is far enough from the edges');
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function isFarFromEdges({ x, y }: Place, canvas: Place & { readonly width: number; readonly height: number }): boolean {
  const [left, top] = [x - RADIUS.x - EDGE, y - EDGE];
  const [right, bottom] = [x + RADIUS.x + EDGE, y + 2 * RADIUS.y + EDGE];
  return left > canvas.x && top > canvas.y && right < canvas.x + canvas.width && bottom < canvas.y + canvas.height;
}

/** Takes a box and moves it on a circle. */
export async function drag(page: Page, moves: number): Promise<void> {
  await circle(page, await grab(page), moves);
  await page.mouse.up();
}
