import { useReactFlow } from '@xyflow/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { showError } from '../../../components/overlays/toasts';
import type { Model } from '../../../topology/model';
import { isOpen, sizeOf, type GroupBox } from './boxes';
import { arranged, below, storedPositions, storePositions, type Positions, type Size } from './positions';

/** How the drawing is fitted into its window: a wall of screens is read from further away. */
export const FIT = { padding: 0.15, maxZoom: window.innerWidth < 2800 ? 1 : 1.75 };

/** The places of the boxes: those where the user put them, else arranged. `hold` and `store` always stay the same. `isPlaced`: they are known and in view. */
export function usePositions(model: Model, toggled: ReadonlySet<string>) {
  const { fitView, getNodes } = useReactFlow<GroupBox>();
  const [positions, setPositions] = useState<Positions>({});
  const [round, setRound] = useState(0);
  const { isLoaded, stored, keep } = useStored(setPositions);
  const [isPlaced, setPlaced] = useState(false);
  useEffect(() => {
    if (round > 0) void fitView(FIT).then(() => setPlaced(true));
  }, [round, fitView]);
  const latest = useRef({ model, positions });
  latest.current = { model, positions };
  const place = (next: Positions) => {
    setPositions(next);
    setRound((last) => last + 1);
  };
  const arrange = () => arranged(model, sizesOf(model, toggled));
  const missing = model.groups.filter(({ node }) => positions[node.id] === undefined);
  const missingIds = missing.map(({ node }) => node.id).join(' ');
  useEffect(() => {
    if (!isLoaded || (missing.length === 0 && round > 0)) return;
    // What the user has moved meanwhile stays there.
    if (missing.length === model.groups.length)
      void arrange()
        .catch((error: unknown) => (showError(error), {}))
        .then((next) => place({ ...next, ...latest.current.positions }));
    else place({ ...below(positions, model), ...positions });
  }, [isLoaded, missingIds]);
  const { held, hold } = useHeld();
  const store = useCallback(
    (moved: readonly GroupBox[]) => {
      const places = { ...placesOfBoxes(getNodes()), ...placesOfBoxes(moved) };
      held.current = {};
      setPositions(places);
      // The boxes that were arranged are stored with those that were moved: else they are arranged anew around these.
      const known = stored.current.difference(new Set(moved.map(({ id }) => id)));
      return keep(placesOf(latest.current.model, places, known)).catch(showError);
    },
    [getNodes, held, keep, stored],
  );
  const arrangeAnew = async () => {
    const next = await arrange();
    place(next);
    await keep(next);
  };
  return { positions, isPlaced, held, hold, store, arrange: arrangeAnew };
}

/** The ids of the boxes whose places the server knows, and what stores places. @param found gets the places that are stored */
function useStored(found: (places: Positions) => void) {
  const client = useClient();
  const stored = useRef<ReadonlySet<string>>(new Set());
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const show = (places: Positions) => {
      stored.current = new Set(Object.keys(places));
      found(places);
    };
    void storedPositions(client)
      .then(show, showError)
      .finally(() => setLoaded(true));
  }, [client, found]);
  const keep = useCallback(
    async (places: Positions) => {
      await storePositions(client, places);
      stored.current = stored.current.union(new Set(Object.keys(places)));
    },
    [client],
  );
  return { isLoaded, stored, keep };
}

function sizesOf(model: Model, toggled: ReadonlySet<string>): ReadonlyMap<string, Size> {
  return new Map(
    model.groups.map((group) => [group.node.id, sizeOf(group, isOpen(model, { toggled }, group.node.id))]),
  );
}

/** The places of the present groups, but for those that are excepted. */
function placesOf({ groups }: Model, positions: Positions, excepted: ReadonlySet<string>): Positions {
  const ids = groups.map(({ node }) => node.id).filter((id) => !excepted.has(id));
  return Object.fromEntries(ids.flatMap((id) => (positions[id] ? [[id, positions[id]]] : [])));
}

/** Where the boxes are that are being dragged. The drawing moves them itself; a change of the network in between leaves them there. */
function useHeld() {
  const held = useRef<Positions>({});
  const hold = useCallback((moved: readonly GroupBox[]) => void (held.current = placesOfBoxes(moved)), []);
  return { held, hold };
}

function placesOfBoxes(boxes: readonly GroupBox[]): Positions {
  return Object.fromEntries(boxes.map(({ id, position }) => [id, position]));
}
