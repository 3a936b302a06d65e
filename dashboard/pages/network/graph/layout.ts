import ELK from 'elkjs/lib/elk-api';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { Positions, Size } from './positions';

interface Drawing {
  readonly boxes: readonly (Size & { readonly id: string })[];
  readonly lines: readonly {
    readonly edge: { readonly id: string };
    readonly source: string;
    readonly target: string;
  }[];
}

/** Up to so many boxes are placed in columns, in the direction of their lines; more would make a strip. */
const MAX_IN_COLUMNS = 9;

const COLUMNS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.spacing.nodeNode': '48',
  'elk.layered.spacing.nodeNodeBetweenLayers': '120',
  'elk.separateConnectedComponents': 'true',
  'elk.spacing.componentComponent': '56',
  'elk.aspectRatio': '1.4',
};

const CLOUD = { 'elk.algorithm': 'stress', 'elk.stress.desiredEdgeLength': '420' };

/** Moves boxes apart that lie on each other. */
const APART = { 'elk.algorithm': 'sporeOverlap', 'elk.spacing.nodeNode': '60' };

/** Places boxes so that lines are short and cross little. */
export async function layout({ boxes, lines }: Drawing): Promise<Positions> {
  const elk = new ELK({ workerUrl });
  const drawing = {
    id: 'network',
    children: boxes.map((box) => ({ ...box })),
    edges: lines.map(({ edge, source, target }) => ({ id: edge.id, sources: [source], targets: [target] })),
  };
  const isSmall = boxes.length <= MAX_IN_COLUMNS;
  try {
    const first = await elk.layout({ ...drawing, layoutOptions: isSmall ? COLUMNS : CLOUD });
    const { children = [] } = isSmall ? first : await elk.layout({ ...first, edges: [], layoutOptions: APART });
    return Object.fromEntries(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
  } finally {
    elk.terminateWorker();
  }
}
