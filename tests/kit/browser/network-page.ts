import type { Locator, Page } from 'playwright-core';
import { placed } from './browser.js';

/** The box of a group. */
export const box = (page: Page, label: string): Locator => page.getByLabel(`Group ${label}`, { exact: true });

/** The line of a policy. */
export const line = (page: Page, label: RegExp): Locator =>
  page.locator('.react-flow__edge').and(page.getByLabel(label));

/** Drags from the dot of one group to the box of another. */
export async function drawPolicy(page: Page, from: string, to: string): Promise<void> {
  await box(page, from).waitFor();
  await placed(page);
  await box(page, from).locator('.end-source').hover();
  await page.mouse.down();
  const target = await box(page, to).boundingBox();
  if (!target) throw new Error(`${to} is not drawn`);
  await page.mouse.move(target.x + target.width / 2 - 5, target.y + target.height / 2, { steps: 6 });
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2);
  await page.mouse.up();
}

/** Pixels from the edge within which React Flow moves the view while a box is dragged, with a margin. */
const EDGE = 60;

/** Takes a box by its title and drags it so far, without letting it go. @throws if that moves the view, so that the box goes on while it is held */
export async function dragBox(page: Page, label: string, x: number, y: number): Promise<void> {
  const title = box(page, label).getByText(label, { exact: true });
  await title.hover();
  const start = await title.boundingBox();
  const canvas = await page.locator('.react-flow').boundingBox();
  if (!start || !canvas) throw new Error(`${label} is not drawn`);
  const end = { x: start.x + x, y: start.y + y };
  const toEdge = Math.min(
    end.x - canvas.x,
    end.y - canvas.y,
    canvas.x + canvas.width - end.x,
    canvas.y + canvas.height - end.y,
  );
  if (toEdge < EDGE) throw new Error(`${label} would be dragged to ${toEdge} pixels from the edge`);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 5 });
}
