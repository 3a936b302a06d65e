import { useReactFlow } from '@xyflow/react';
import { useCallback, useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react';
import { useClient } from 'urql';
import { showError, showToast } from '../../../components/toasts';
import type { Model } from '../../../topology/model';
import { arranged } from './arrange';
import { isOpen, sizeOf, type GroupBox } from './boxes';
import { below, rounded, storedPositions, storePositions, type Positions, type Size } from './positions';

/** How the drawing is fitted into its window, below the search field. A wall of screens is read from further away. */
export const FIT = {
  padding: { top: '56px', x: 0.15, bottom: 0.15 } as const,
  maxZoom: window.innerWidth < 2800 ? 1 : 1.75,
};

/** The places of the boxes: those where the user put them, else arranged. `hold` and `store` always stay the same. `isPlaced`: they are known and in view. */
export function usePositions(model: Model, revision: number, toggled: ReadonlySet<string>) {
  const { fitView, getNodes } = useReactFlow<GroupBox>();
  const [positions, setPositions] = useState<Positions>({});
  const [round, setRound] = useState(0);
  const { isLoaded, stored, keep } = useStored(revision, setPositions);
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
  const move = (next: Positions) => (place(next), keep(next));
  const arrangeAnew = async () => {
    const former = latest.current.positions;
    await move(await arrange());
    // What was deleted meanwhile has no place to store.
    const undo = () => move(placesOf(latest.current.model, former, new Set()));
    showToast('The groups are arranged.', { label: 'Undo', run: undo });
  };
  return { positions, isPlaced, held, hold, store, arrange: arrangeAnew };
}

/**
 * The ids of the boxes whose places the server knows, and what stores places. They are read again with each revision of the network:
 * other windows store places too. @param show gets them
 */
function useStored(revision: number, show: Dispatch<SetStateAction<Positions>>) {
  const client = useClient();
  const stored = useRef<ReadonlySet<string>>(new Set());
  const [isLoaded, setLoaded] = useState(false);
  const work = useRef<StoredWork>({ stores: 0, ended: 0, isOutdated: false, reading: undefined });
  const load = useCallback((): Promise<void> => {
    const { current } = work;
    current.isOutdated = true;
    current.reading ??= readAll(current, async () => {
      const { ended } = current;
      const places = await storedPositions(client);
      if (current.stores > 0 || current.ended > ended) return;
      stored.current = new Set(Object.keys(places));
      show((last) => withPlaces(last, places));
      setLoaded(true);
    });
    return current.reading;
  }, [client, show]);
  useEffect(() => {
    void load()
      .catch(showError)
      .finally(() => setLoaded(true));
  }, [load, revision]);
  const keep = useCallback(
    async (places: Positions) => {
      work.current.stores += 1;
      try {
        await storePositions(client, places);
      } finally {
        work.current.stores -= 1;
        work.current.ended += 1;
        void load().catch(showError);
      }
    },
    [client, load],
  );
  return { isLoaded, stored, keep };
}

interface StoredWork {
  /** Stores without an answer. Places that are read meanwhile are read again after the last of them. */
  stores: number;
  /** How many stores have ended. */
  ended: number;
  /** The places may have changed since the last read began. */
  isOutdated: boolean;
  reading: Promise<void> | undefined;
}

/** Reads until nothing has changed since the last read began. One read follows another: urql gives two at the same time the answer of the first. */
async function readAll(work: StoredWork, read: () => Promise<void>): Promise<void> {
  try {
    while (work.isOutdated) {
      work.isOutdated = false;
      await read().catch((error: unknown) => {
        if (!work.isOutdated) throw error;
      });
    }
  } finally {
    work.reading = undefined;
  }
}

function withPlaces(last: Positions, places: Positions): Positions {
  const areKnown = Object.entries(places).every(([id, { x, y }]) => last[id]?.x === x && last[id].y === y);
  return areKnown ? last : { ...last, ...places };
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
  return Object.fromEntries(boxes.map(({ id, position }) => [id, rounded(position)]));
}
