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
import { Button } from '../../components/button';
import type { Model } from '../../topology/model';
import { boxesOf, linesOf, type GroupBox, type Look } from './boxes';
import { GroupBoxView, ToggleContext } from './group-box';
import { PolicyLineView, PolicyMarkers } from './policy-line';
import { FIT, usePositions } from './use-positions';

interface CanvasProps {
  readonly model: Model;
  readonly selected: string;
  readonly lit: ReadonlySet<string> | undefined;
  readonly onSelect: (id: string) => void;
  /** A line was dragged from one group to another. */
  readonly onDraw: (source: string, target: string) => void;
}

const NODE_TYPES = { 'group-box': GroupBoxView };
const EDGE_TYPES = { policy: PolicyLineView };
/** Zoom below which buttons in boxes are too small to press. A double click opens a box at any zoom. */
const NEAR = 0.8;

/** The network as boxes and lines. */
export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing({ model, selected, lit, onSelect, onDraw }: CanvasProps) {
  const [toggled, toggle] = useToggled();
  const { positions, move, store, arrange } = usePositions(model, toggled);
  const before = useRef<ReadonlyMap<string, GroupBox>>(new Map());
  const look: Look = useMemo(() => ({ positions, toggled, lit, selected }), [positions, toggled, lit, selected]);
  const boxes = useMemo(() => boxesOf(model, look, before.current), [model, look]);
  const lines = useMemo(() => linesOf(model, look), [model, look]);
  useEffect(() => {
    before.current = new Map(boxes.map((box) => [box.id, box]));
  }, [boxes]);
  useFocus(lit);
  const isFar = useFlowStore(({ transform }) => transform[2] < NEAR);
  return (
    <ToggleContext value={toggle}>
      <div className={isFar ? 'canvas far' : 'canvas'}>
        <PolicyMarkers />
        <ReactFlow<GroupBox, ReturnType<typeof linesOf>[number]>
          nodes={boxes}
          edges={lines}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onNodesChange={move}
          onNodeDragStop={(_, __, moved) => void store(moved.map(({ id }) => id))}
          onConnect={({ source, target }: Connection) => onDraw(source, target)}
          onNodeClick={(_, { id }) => onSelect(id)}
          onNodeDoubleClick={(_, { id }) => toggle(id)}
          zoomOnDoubleClick={false}
          onEdgeClick={(_, { id }) => onSelect(id)}
          onPaneClick={() => onSelect('')}
          deleteKeyCode={null}
          minZoom={0.1}
          maxZoom={1.75}
          fitView
          fitViewOptions={FIT}
          onlyRenderVisibleElements
          nodesFocusable={false}
          edgesFocusable={false}
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
    </ToggleContext>
  );
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
    if (nodes.length > 0) void fitView({ ...FIT, nodes, duration: 200 });
  }, [lit, fitView]);
}
