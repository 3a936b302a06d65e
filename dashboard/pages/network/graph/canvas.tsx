import '@xyflow/react/dist/style.css';
import {
  Background,
  BackgroundVariant,
  Controls,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore as useFlowStore,
  type Connection,
} from '@xyflow/react';
import { LayoutGrid } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../../components/forms/button';
import type { Model } from '../../../topology/model';
import { boxesOf, linesOf, type Appearance, type GroupBox, type PolicyLine } from './boxes';
import { BoxActsContext, GroupBoxView, type BoxActs } from './group-box';
import { PolicyLineView, PolicyMarkers } from '../policy-line';
import { useKeys, type KeyActs } from './use-keys';
import { FIT, usePositions } from './use-positions';

declare module 'react' {
  interface CSSProperties {
    /** The zoom of the drawing, for sizes that do not shrink with it. */
    '--zoom'?: number;
  }
}

interface CanvasProps extends Omit<KeyActs, 'onToggle'> {
  readonly model: Model;
  readonly revision: number;
  readonly selected: string;
  readonly lit: ReadonlySet<string> | undefined;
  readonly onSelect: (id: string) => void;
  /** A line was dragged from one group to another. */
  readonly onDraw: (source: string, target: string) => void;
  /** A peer was dragged from one group to another. */
  readonly onMove: (peer: string, from: string, to: string) => void;
}

const TYPES = { nodeTypes: { 'group-box': GroupBoxView }, edgeTypes: { policy: PolicyLineView } };
/** With default nodes, React Flow moves a box while it is dragged: the page is not drawn for each movement. */
const MOVED_BY_FLOW: GroupBox[] = [];
const KEYS = {
  'node.a11yDescription.default':
    'Arrow keys go to the next group, Enter selects, O opens or closes, P draws a policy, Delete deletes.',
  'edge.a11yDescription.default': 'Arrow keys go to its groups, Enter selects, Delete deletes.',
};
/** Zoom below which buttons in boxes are too small to press. A double click or the key O opens a box at any zoom. */
const NEAR = 0.8;
/** Zoom below which only the names of groups are drawn, as large as their boxes let them be. */
const OVERVIEW = 0.6;
/** Steps of the zoom that the drawing follows. */
const ZOOM_STEP = 0.05;

/** The network as boxes and lines. */
export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing({ model, revision, selected, lit, onSelect, onDraw, onMove, ...acts }: CanvasProps) {
  const [toggled, toggle] = useToggled();
  const places = usePositions(model, revision, toggled);
  const { isPlaced, hold, store, arrange } = places;
  const { boxes, lines } = useDrawing({ model, selected, lit }, places, toggled);
  useFocus(lit);
  const boxActs = useBoxActs(toggle, onMove);
  const handlers = useHandlers({ hold, store, toggle, onDraw, onSelect });
  const zoom = useFlowStore(({ transform }) => Math.max(Math.floor(transform[2] / ZOOM_STEP), 1) * ZOOM_STEP);
  const classes = ['canvas', zoom < NEAR && 'far', zoom < OVERVIEW && 'overview'].filter(Boolean).join(' ');
  return (
    <BoxActsContext value={boxActs}>
      <div
        className={classes}
        style={{ '--zoom': zoom }}
        aria-busy={!isPlaced}
        onKeyDownCapture={useKeys(boxes, lines, { ...acts, onToggle: toggle })}
      >
        <PolicyMarkers />
        <ReactFlow<GroupBox, PolicyLine>
          nodes={boxes}
          defaultNodes={MOVED_BY_FLOW}
          selectNodesOnDrag={false}
          edges={lines}
          {...TYPES}
          {...handlers}
          zoomOnDoubleClick={false}
          deleteKeyCode={null}
          minZoom={0.1}
          maxZoom={1.75}
          fitView
          fitViewOptions={FIT}
          onlyRenderVisibleElements
          ariaLabelConfig={KEYS}
          connectionRadius={40}
        >
          <Background variant={BackgroundVariant.Dots} gap={20} size={1} />
          <Controls showInteractive={false} />
          <MiniMap pannable zoomable ariaLabel="Map of the network" nodeClassName="minimap-box" />
        </ReactFlow>
        <Button className="canvas-arrange" size="small" icon={LayoutGrid} onPress={arrange}>
          Arrange
        </Button>
      </div>
    </BoxActsContext>
  );
}

/** The boxes, and the lines as soon as the boxes have their places: before, they would run behind boxes that they do not join. */
function useDrawing(
  { model, selected, lit }: Pick<CanvasProps, 'model' | 'selected' | 'lit'>,
  { positions, held, isPlaced }: ReturnType<typeof usePositions>,
  toggled: ReadonlySet<string>,
) {
  const before = useRef<ReadonlyMap<string, GroupBox>>(new Map());
  const appearance: Appearance = useMemo(
    () => ({ positions, toggled, lit, selected }),
    [positions, toggled, lit, selected],
  );
  const boxes = useMemo(() => {
    const places = { ...positions, ...held.current };
    return boxesOf(model, { ...appearance, positions: places }, before.current);
  }, [model, appearance]);
  const lines = useMemo(() => (isPlaced ? linesOf(model, { lit, selected }) : []), [isPlaced, model, lit, selected]);
  useEffect(() => {
    before.current = new Map(boxes.map((box) => [box.id, box]));
  }, [boxes]);
  return { boxes, lines };
}

interface Handled extends Pick<ReturnType<typeof usePositions>, 'hold' | 'store'> {
  readonly toggle: (id: string) => void;
  readonly onDraw: (source: string, target: string) => void;
  readonly onSelect: (id: string) => void;
}

/** What the pointer does. It stays the same while a box is dragged: else each movement would draw every box and line again. */
function useHandlers({ hold, store, toggle, onDraw, onSelect }: Handled) {
  return useMemo(
    () => ({
      onNodeDrag: (_: unknown, __: unknown, moved: readonly GroupBox[]) => hold(moved),
      onNodeDragStop: (_: unknown, __: unknown, moved: readonly GroupBox[]) => void store(moved),
      onConnect: ({ source, target }: Connection) => onDraw(source, target),
      onNodeClick: (_: unknown, { id }: GroupBox) => onSelect(id),
      onNodeDoubleClick: (_: unknown, { id }: GroupBox) => toggle(id),
      onEdgeClick: (_: unknown, { id }: PolicyLine) => onSelect(id),
      onPaneClick: () => onSelect(''),
    }),
    [hold, store, toggle, onDraw, onSelect],
  );
}

/** Always the same object, so that boxes are not drawn again. */
function useBoxActs(toggle: BoxActs['toggle'], onMove: BoxActs['onMove']): BoxActs {
  const latest = useRef(onMove);
  latest.current = onMove;
  return useMemo(() => ({ toggle, onMove: (...move) => latest.current(...move) }), [toggle]);
}

function useToggled() {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set<string>());
  const toggle = useMemo(
    () => (id: string) =>
      setToggled((last) => (last.has(id) ? last.difference(new Set([id])) : new Set([...last, id]))),
    [],
  );
  return [toggled, toggle] as const;
}

/** Moves what is lit into view. */
function useFocus(lit: ReadonlySet<string> | undefined): void {
  const { fitView } = useReactFlow();
  useEffect(() => {
    const nodes = [...(lit ?? [])].filter((id) => id.startsWith('group:')).map((id) => ({ id }));
    const duration = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200;
    if (nodes.length > 0) void fitView({ ...FIT, nodes, duration });
  }, [lit, fitView]);
}
