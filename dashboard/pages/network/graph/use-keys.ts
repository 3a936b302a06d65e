import { useReactFlow } from '@xyflow/react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { showError } from '../../../components/toasts';
import type { GroupBox, PolicyLine } from './boxes';
import { focusPart, partSelector } from './focus';
import type { Position } from './positions';

/** Directions of the arrow keys. */
const ARROWS: Readonly<Record<string, Position>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** What keys do to the group or policy that has the focus. */
export interface KeyActs {
  readonly onOpen: (id: string) => void;
  /** Opens or closes the box of a group. */
  readonly onToggle: (id: string) => void;
  readonly onPolicy: (id: string) => void;
  readonly onDelete: (id: string) => Promise<void>;
  readonly onCancel: () => void;
}

/**
 * Keys on the drawing: arrows go from a group to the next one that way and from a policy to its groups, Enter selects, O
 * opens or closes a group, P begins a policy, Delete asks whether to delete, Escape cancels. Tab visits everything.
 */
export function useKeys(boxes: readonly GroupBox[], lines: readonly PolicyLine[], acts: KeyActs) {
  const flow = useReactFlow();
  const last = useRef<Place>(undefined);
  const goTo = async ({ id, x, y }: Place) => {
    // Boxes out of view are not drawn.
    if (focusPart(id)) return;
    await flow.setCenter(x, y, { zoom: flow.getZoom() });
    requestAnimationFrame(() => focusPart(id));
  };
  useEffect(() => {
    const { current } = last;
    if (!current || placesOf(boxes, lines).some(({ id }) => id === current.id)) return;
    // What had the focus is deleted: the group nearest to it has it next.
    last.current = undefined;
    const nearest = boxes.map(placeOf).toSorted((one, other) => distance(one, current) - distance(other, current))[0];
    const { activeElement: active } = document;
    if (nearest && (active === document.body || active?.matches(partSelector(current.id)))) void goTo(nearest);
  }, [boxes, lines]);
  return (event: KeyboardEvent) => {
    const place = placesOf(boxes, lines).find(({ id }) => id === partOf(event));
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    last.current = place;
    const arrow = ARROWS[event.key];
    const act = actOf(
      event.key,
      acts,
      boxes.some(({ id }) => id === place.id),
    );
    if (arrow) {
      const next = nextPlace(place, endsOf(place.id, boxes, lines), arrow);
      if (next) void goTo(next);
    } else if (act) act(place.id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function actOf(key: string, acts: KeyActs, isGroup: boolean): ((id: string) => void) | undefined {
  const remove = (id: string) => void acts.onDelete(id).catch(showError);
  const table: Readonly<Record<string, (id: string) => void>> = {
    Enter: acts.onOpen,
    ' ': acts.onOpen,
    ...(isGroup && { o: acts.onToggle, p: acts.onPolicy }),
    Escape: acts.onCancel,
    Delete: remove,
    Backspace: remove,
  };
  return table[key.length === 1 ? key.toLowerCase() : key];
}

/** The id of the group or policy that a key was pressed on, itself and not a button in it. */
function partOf({ target }: KeyboardEvent): string | undefined {
  const part = target as HTMLElement | SVGElement;
  return part.matches('.react-flow__node, .react-flow__edge') ? part.dataset.id : undefined;
}

/** The middle of a group or policy. */
interface Place extends Position {
  readonly id: string;
}

function placeOf({ id, position, width = 0, height = 0 }: GroupBox): Place {
  return { id, x: position.x + width / 2, y: position.y + height / 2 };
}

function placesOf(boxes: readonly GroupBox[], lines: readonly PolicyLine[]): Place[] {
  const groups = new Map(boxes.map((box) => [box.id, placeOf(box)]));
  const policies = lines.flatMap(({ id, source, target }) => {
    const [from, to] = [groups.get(source), groups.get(target)];
    return from && to ? [{ id, x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }] : [];
  });
  return [...groups.values(), ...policies];
}

/** Where arrows lead to: from a policy to its two groups, from a group to every other. */
function endsOf(id: string, boxes: readonly GroupBox[], lines: readonly PolicyLine[]): Place[] {
  const line = lines.find((other) => other.id === id);
  const ends = boxes.filter((box) => (line ? box.id === line.source || box.id === line.target : box.id !== id));
  return ends.map(placeOf);
}

/** The nearest place in a direction; what lies aside counts twice. */
function nextPlace(from: Place, places: readonly Place[], arrow: Position): Place | undefined {
  const ahead = places.flatMap((place) => {
    const [x, y] = [place.x - from.x, place.y - from.y];
    const forward = x * arrow.x + y * arrow.y;
    const aside = Math.abs(x * arrow.y) + Math.abs(y * arrow.x);
    return forward > 0 ? [{ place, length: forward + 2 * aside }] : [];
  });
  return ahead.toSorted((one, other) => one.length - other.length)[0]?.place;
}

function distance(one: Position, other: Position): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
