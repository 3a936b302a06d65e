import type { Client } from 'urql';
import { done } from '../../../graphql/done';
import { graphql } from '../../../graphql/graphql';
import type { Model } from '../../../topology/model';

/** Where the corner of a box is, in the units of the drawing. The server stores whole ones. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

export type Positions = Readonly<Record<string, Position>>;

/** The nearest position that can be stored. */
export function rounded({ x, y }: Position): Position {
  return { x: Math.round(x), y: Math.round(y) };
}

/** The size of a box. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels between the corners of new groups and of those above or beside them. */
const ROW_DISTANCE = 380;
const COLUMN_DISTANCE = 300;

const READ = graphql('{ nodePositions { node x y } }');
const STORE = graphql('mutation ($positions: [NodePositionInput!]!) { storeNodePositions(positions: $positions) }');

/** Positions that one request may store. */
const MAX_STORED = 1000;

/** The places where the user put the groups. */
export async function storedPositions(client: Client): Promise<Positions> {
  const { nodePositions } = await done(client.query(READ, {}, { requestPolicy: 'network-only' }));
  return Object.fromEntries(nodePositions.map(({ node, x, y }) => [node, { x, y }]));
}

/** Keeps the places of groups, in every browser of the user. */
export async function storePositions(client: Client, positions: Positions): Promise<void> {
  const all = Object.entries(positions).map(([node, { x, y }]) => ({ node, x, y }));
  for (let from = 0; from < all.length; from += MAX_STORED)
    await done(client.mutation(STORE, { positions: all.slice(from, from + MAX_STORED) }));
}

/** Places for the groups that have none: right of the lowest group while its row has room, then in a row below. A few groups have short rows, so that they are read without a zoom. */
export function below(positions: Positions, { groups }: Model): Positions {
  const placed = groups.flatMap(({ node }) => positions[node.id] ?? []);
  const left = Math.min(...placed.map(({ x }) => x));
  const rowWidth = Math.ceil(Math.sqrt(groups.length)) * COLUMN_DISTANCE;
  const bottom = Math.max(...placed.map(({ y }) => y));
  let x = Math.max(...placed.filter(({ y }) => y > bottom - ROW_DISTANCE).map((position) => position.x));
  let y = bottom;
  const places: Record<string, Position> = {};
  for (const { node } of groups.filter(({ node }) => positions[node.id] === undefined)) {
    x += COLUMN_DISTANCE;
    if (x >= left + rowWidth) [x, y] = [left, y + ROW_DISTANCE];
    places[node.id] = { x, y };
  }
  return places;
}
