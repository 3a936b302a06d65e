import type { Model } from '../../topology/model';

/** Where the corner of a box is, in the units of the drawing. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

export type Positions = Readonly<Record<string, Position>>;

/** The size of a box. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels between the corners of new groups and of those above or beside them. */
const ROW_DISTANCE = 380;
const COLUMN_DISTANCE = 300;

const key = (userId: number) => `archipelago.network.positions.${userId}`;

/** The places where this user put the groups, kept in this browser. */
export function storedPositions(userId: number): Positions {
  try {
    return JSON.parse(localStorage.getItem(key(userId)) ?? '{}') as Positions;
  } catch {
    return {};
  }
}

/** Keeps the places of the groups. */
export function storePositions(userId: number, positions: Positions): void {
  localStorage.setItem(key(userId), JSON.stringify(positions));
}

/** Places for the groups that have none: in a row below the others. */
export function below(positions: Positions, { groups }: Model): Positions {
  const placed = groups.flatMap(({ node }) => positions[node.id] ?? []);
  const x = Math.min(...placed.map((position) => position.x));
  const y = Math.max(...placed.map((position) => position.y)) + ROW_DISTANCE;
  const missing = groups.filter(({ node }) => positions[node.id] === undefined);
  return Object.fromEntries(missing.map(({ node }, index) => [node.id, { x: x + index * COLUMN_DISTANCE, y }]));
}

/** Arranges the groups by their policies, in a worker that is loaded for it. */
export async function arranged(model: Model, sizes: ReadonlyMap<string, Size>): Promise<Positions> {
  const { layout } = await import('./layout');
  return layout({
    boxes: model.groups.map(({ node: { id } }) => ({ id, width: 0, height: 0, ...sizes.get(id) })),
    lines: model.policies.filter(({ source, target }) => source !== target),
  });
}
