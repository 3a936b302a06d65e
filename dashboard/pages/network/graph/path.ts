import type { Position, Size } from './positions';

type Box = Position & Size;

/** Pixels between two lines that join the same two boxes. */
const APART = 26;

/** Pixels between a box and the end of a line. */
const GAP = 5;

/** A bent line from the rim of one box to the rim of another, and its middle. */
export function pathBetween(from: Box, to: Box, rank: number): { readonly path: string; readonly middle: Position } {
  const start = centerOf(from);
  const end = centerOf(to);
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = Math.max(Math.hypot(dx, dy), 1);
  const isForward = dx > 0 || (dx === 0 && dy > 0);
  const side = (rank % 2 === 0 ? 1 : -1) * (isForward ? 1 : -1);
  const bend = side * (14 + APART * Math.ceil(rank / 2) * 2);
  const control = { x: start.x + dx / 2 - (dy / length) * bend, y: start.y + dy / 2 + (dx / length) * bend };
  const [a, b] = [onRim(from, control), onRim(to, control)];
  const middle = { x: (a.x + 2 * control.x + b.x) / 4, y: (a.y + 2 * control.y + b.y) / 4 };
  return { path: `M${round(a)} Q${round(control)} ${round(b)}`, middle };
}

function centerOf({ x, y, width, height }: Box): Position {
  return { x: x + width / 2, y: y + height / 2 };
}

/** Where the way from the center of a box to a point leaves the box. */
function onRim(box: Box, towards: Position): Position {
  const center = centerOf(box);
  const [dx, dy] = [towards.x - center.x, towards.y - center.y];
  const across = (box.width / 2 + GAP) / Math.max(Math.abs(dx), 0.1);
  const down = (box.height / 2 + GAP) / Math.max(Math.abs(dy), 0.1);
  const ratio = Math.min(across, down, 1);
  return { x: center.x + dx * ratio, y: center.y + dy * ratio };
}

function round({ x, y }: Position): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
