import type { Edge, Node } from '@xyflow/react';
import type { GraphNode } from '../../../topology/graph';
import type { GroupModel, Model, PolicyModel } from '../../../topology/model';
import type { Position, Positions, Size } from './positions';

/** Peers above which groups are drawn closed. */
export const MANY_PEERS = 300;

/** Members that an open box lists. */
export const MAX_LISTED = 12;

const WIDTH = 248;
const HEAD_HEIGHT = 66;
const ROW_HEIGHT = 24;

/** How the drawing looks at the moment, beside the network itself. */
export interface Appearance {
  readonly positions: Positions;
  /** Groups that the user opened or closed. */
  readonly toggled: ReadonlySet<string>;
  /** Ids of what is lit; everything else is dim. Undefined: nothing is dim. */
  readonly lit: ReadonlySet<string> | undefined;
  readonly selected: string;
}

export interface GroupData extends Record<string, unknown> {
  readonly group: GroupModel;
  readonly isOpen: boolean;
  readonly isDim: boolean;
  /** The policy from the group to itself. */
  readonly inner: readonly PolicyModel[];
}

export interface PolicyData extends Record<string, unknown> {
  readonly policy: PolicyModel;
  /** How many policies before this one join the same two groups. */
  readonly rank: number;
  readonly isDim: boolean;
}

export type GroupBox = Node<GroupData, 'group-box'>;
export type PolicyLine = Edge<PolicyData, 'policy'>;

/** Whether a group is drawn with its members. */
export function isOpen(model: Model, { toggled }: Pick<Appearance, 'toggled'>, id: string): boolean {
  return model.peers.length <= MANY_PEERS !== toggled.has(id);
}

/** The members that an open box lists. */
export function listed({ peers, resources }: GroupModel): readonly GraphNode[] {
  return [...resources, ...peers].slice(0, MAX_LISTED);
}

/** The size of the box of a group. */
export function sizeOf(group: GroupModel, open: boolean): Size {
  const count = group.peers.length + group.resources.length;
  const rows = open ? Math.min(count, MAX_LISTED) + (count > MAX_LISTED ? 1 : 0) : 0;
  return { width: WIDTH, height: HEAD_HEIGHT + (rows > 0 ? rows * ROW_HEIGHT + 12 : 0) };
}

/** The boxes of the groups. A box that did not change is the same object as in `before`. */
export function boxesOf(model: Model, appearance: Appearance, before: ReadonlyMap<string, GroupBox>): GroupBox[] {
  const inner = Map.groupBy(
    model.policies.filter(({ source, target }) => source === target),
    ({ source }) => source,
  );
  return model.groups.map((group, index) => {
    const { id } = group.node;
    const open = isOpen(model, appearance, id);
    const isDim = appearance.lit !== undefined && !appearance.lit.has(id);
    const position = appearance.positions[id] ?? placeless(index);
    const last = before.get(id);
    const selected = appearance.selected === id;
    const next = { group, isOpen: open, isDim, inner: inner.get(id) ?? NONE };
    const data = last && isSameData(last.data, next) ? last.data : next;
    if (last && last.data === data && isAt(last, position) && last.selected === selected) return last;
    const size = sizeOf(group, open);
    return {
      id,
      type: 'group-box',
      position,
      selected,
      ...size,
      data,
      ariaLabel: `Group ${group.node.label}`,
    };
  });
}

const NONE: readonly PolicyModel[] = [];

function isSameData(last: GroupData, next: GroupData): boolean {
  const isSameInner = last.inner.length === next.inner.length && last.inner[0]?.edge === next.inner[0]?.edge;
  return isSameInner && last.group === next.group && last.isOpen === next.isOpen && last.isDim === next.isDim;
}

function isAt({ position: last }: GroupBox, { x, y }: Position): boolean {
  return last.x === x && last.y === y;
}

/** Where a box without a place is put until it is arranged. */
function placeless(index: number): Position {
  return { x: (index % 5) * 300, y: Math.floor(index / 5) * 240 };
}

/** The lines of the policies between two groups. */
export function linesOf(model: Model, appearance: Pick<Appearance, 'lit' | 'selected'>): PolicyLine[] {
  const ranks = new Map<string, number>();
  return model.policies
    .filter(({ source, target }) => source !== target && model.groupOf.has(source) && model.groupOf.has(target))
    .map((policy) => {
      const { edge, source, target } = policy;
      const pair = [source, target].toSorted().join(' ');
      const rank = ranks.get(pair) ?? 0;
      ranks.set(pair, rank + 1);
      const isDim = appearance.lit !== undefined && !appearance.lit.has(edge.id);
      const ariaLabel = `Policy ${policy.traffic} from ${model.groupOf.get(source)?.node.label ?? ''} to ${model.groupOf.get(target)?.node.label ?? ''}`;
      return {
        id: edge.id,
        type: 'policy',
        source,
        target,
        selected: appearance.selected === edge.id,
        ariaLabel,
        data: { policy, rank, isDim },
      };
    });
}
