import { useReactFlow, type NodeChange } from '@xyflow/react';
import { useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { tellError } from '../../components/toasts';
import type { Model } from '../../topology/model';
import { isOpen, sizeOf, type GroupBox, type Look } from './boxes';
import { arranged, below, storedPositions, storePositions, type Positions } from './positions';

/** How the drawing is fitted into its window. */
export const FIT = { padding: 0.15, maxZoom: 1 };

/** The places of the boxes: those where the user put them, else arranged. */
export function usePositions(model: Model, toggled: ReadonlySet<string>) {
  const client = useClient();
  const { fitView } = useReactFlow();
  const [positions, setPositions] = useState<Positions>({});
  const [isLoaded, setLoaded] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => void (round > 0 && fitView(FIT)), [round, fitView]);
  useEffect(() => {
    storedPositions(client)
      .then(setPositions, tellError)
      .finally(() => setLoaded(true));
  }, [client]);
  const latest = useRef(positions);
  latest.current = positions;
  const place = (next: Positions) => {
    setPositions(next);
    setRound((last) => last + 1);
  };
  const arrange = async () => {
    const look: Look = { positions, toggled, lit: undefined, selected: '' };
    const sizes = new Map(
      model.groups.map((group) => [group.node.id, sizeOf(group, isOpen(model, look, group.node.id))]),
    );
    const next = await arranged(model, sizes);
    place(next);
    return next;
  };
  const missing = model.groups.filter(({ node }) => positions[node.id] === undefined);
  const missingIds = missing.map(({ node }) => node.id).join(' ');
  useEffect(() => {
    if (!isLoaded || (missing.length === 0 && round > 0)) return;
    if (missing.length === model.groups.length) void arrange();
    else place({ ...below(positions, model), ...positions });
  }, [isLoaded, missingIds]);
  const move = (changes: readonly NodeChange<GroupBox>[]) => {
    const moved = changes.flatMap((change) =>
      change.type === 'position' && change.position ? [[change.id, change.position] as const] : [],
    );
    if (moved.length > 0) setPositions((last) => ({ ...last, ...Object.fromEntries(moved) }));
  };
  const store = (ids: readonly string[]) =>
    storePositions(client, Object.fromEntries(ids.flatMap((id) => [[id, latest.current[id] ?? ORIGIN]]))).catch(
      tellError,
    );
  return { positions, move, store, arrange: async () => storePositions(client, await arrange()) };
}

const ORIGIN = { x: 0, y: 0 };
