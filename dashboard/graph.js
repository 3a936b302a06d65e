import { shape } from './dom.js';
import { placeNodes } from './layout.js';

const NODE_RADIUS = 26;
const MARGIN = 90;

/** A graph as it is known so far, kept up to date by changes. */
export class Graph {
  /** @type {Map<string, any>} */
  nodes = new Map();
  /** @type {Map<string, any>} */
  edges = new Map();
  revision = 0;

  /** Takes a change in; a whole graph replaces what was known. */
  apply({ revision, isWhole, nodes, edges, removedNodes, removedEdges }) {
    if (isWhole) {
      this.nodes.clear();
      this.edges.clear();
    }
    for (const id of removedNodes) this.nodes.delete(id);
    for (const id of removedEdges) this.edges.delete(id);
    for (const node of nodes) this.nodes.set(node.id, node);
    for (const edge of edges) this.edges.set(edge.id, edge);
    this.revision = revision;
  }
}

/** Draws a graph; what is chosen on it, by pointer or keyboard, is told by its id. */
export class GraphView {
  #places = new Map();
  #chosen = '';
  #graph = new Graph();
  #choose;
  #edges = shape('g', { class: 'edges' });
  #nodes = shape('g', { class: 'nodes' });

  /** @param {(id: string) => void} choose */
  constructor(choose) {
    this.#choose = choose;
    this.svg = shape(
      'svg',
      { class: 'graph', role: 'group', 'aria-label': 'Private network' },
      arrows(),
      this.#edges,
      this.#nodes,
    );
  }

  /** @param {Graph} graph */
  draw(graph) {
    this.#graph = graph;
    const nodes = [...graph.nodes.values()];
    const edges = [...graph.edges.values()].filter(
      ({ source, target }) => graph.nodes.has(source) && graph.nodes.has(target),
    );
    this.#places = placeNodes(nodes, edges, this.#places);
    const focused = document.activeElement?.getAttribute?.('data-id');
    this.#edges.replaceChildren(...edges.map((edge, i) => this.#edge(edge, rankAmong(edges, i))));
    this.#nodes.replaceChildren(...nodes.map((node) => this.#node(node)));
    this.svg.setAttribute('viewBox', this.#frame());
    if (focused) this.svg.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
  }

  /** @param {string} id */
  mark(id) {
    this.#chosen = id;
    for (const thing of this.svg.querySelectorAll('[data-id]')) {
      const isChosen = thing.getAttribute('data-id') === id;
      thing.classList.toggle('chosen', isChosen);
      thing.setAttribute('aria-pressed', String(isChosen));
    }
  }

  #frame() {
    const all = [...this.#places.values()];
    const xs = all.map(({ x }) => x);
    const ys = all.map(({ y }) => y);
    const left = Math.min(-180, ...xs) - MARGIN;
    const top = Math.min(-110, ...ys) - MARGIN;
    return [left, top, Math.max(180, ...xs) + MARGIN - left, Math.max(110, ...ys) + MARGIN - top].join(' ');
  }

  #button(id, label) {
    const isChosen = id === this.#chosen;
    return {
      'data-id': id,
      tabindex: 0,
      role: 'button',
      'aria-label': label,
      'aria-pressed': String(isChosen),
      onclick: () => this.#choose(id),
      onkeydown: (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        this.#choose(id);
      },
    };
  }

  #node({ id, type, label, meta }) {
    const { x, y } = this.#places.get(id);
    const words = `${type} ${label}${meta.isDefault ? ', default' : ''}`;
    const classes = ['node', type, meta.isDefault ? 'default' : '', id === this.#chosen ? 'chosen' : ''].join(' ');
    return shape(
      'g',
      { class: classes, transform: `translate(${round(x)} ${round(y)})`, ...this.#button(id, words) },
      outline(type),
      shape('text', { class: 'glyph', y: 5, 'aria-hidden': 'true' }, label.slice(0, 2)),
      shape(
        'text',
        { class: 'label', y: NODE_RADIUS + 19, 'aria-hidden': 'true' },
        label.length > 22 ? `${label.slice(0, 21)}…` : label,
      ),
    );
  }

  #edge(edge, rank) {
    const { id, source, target, meta } = edge;
    const path = edgePath(this.#places.get(source), this.#places.get(target), rank);
    const kind = [meta.action ?? '', meta.enabled === false ? 'disabled' : '', meta.isManaged ? 'managed' : ''].join(
      ' ',
    );
    const arrow = meta.action === 'drop' ? 'url(#arrow-drop)' : 'url(#arrow)';
    const line = shape('path', {
      class: 'line',
      d: path,
      'marker-end': arrow,
      'marker-start': meta.bidirectional ? arrow : undefined,
    });
    const label = edgeWords(edge, (node) => this.#graph.nodes.get(node)?.label ?? node);
    return shape(
      'g',
      { class: `edge ${kind} ${id === this.#chosen ? 'chosen' : ''}`, ...this.#button(id, label) },
      shape('title', {}, label),
      shape('path', { class: 'reach', d: path }),
      line,
    );
  }
}

/** What an edge says, in words. */
export function edgeWords({ type, source, target, meta }, labelOf) {
  if (type !== 'policy') return `${type} from ${labelOf(source)} to ${labelOf(target)}`;
  const ports = meta.ports?.length > 0 ? ` on ${meta.ports.join(', ')}` : '';
  const traffic = `${meta.protocol === 'all' ? 'everything' : meta.protocol}${ports}`;
  const ways = meta.bidirectional ? 'and back' : 'one way';
  const state = [meta.enabled === false ? 'not in force' : '', meta.isManaged ? 'managed' : '']
    .filter(Boolean)
    .join(', ');
  return `${meta.action} ${traffic} from ${labelOf(source)} to ${labelOf(target)}, ${ways}${state ? `, ${state}` : ''}`;
}

function outline(type) {
  const r = NODE_RADIUS;
  if (type === 'peer') return shape('rect', { x: -r, y: -r * 0.75, width: 2 * r, height: r * 1.5, rx: 7 });
  if (type === 'router') return shape('polygon', { points: `0,${-r} ${r},0 0,${r} ${-r},0` });
  if (type === 'resource') return shape('rect', { x: -r * 0.85, y: -r * 0.85, width: r * 1.7, height: r * 1.7 });
  return shape('circle', { r });
}

/** How many edges before this one join the same two nodes. */
function rankAmong(edges, i) {
  const pair = ({ source, target }) => [source, target].sort().join(' ');
  return edges.slice(0, i).filter((other) => pair(other) === pair(edges[i])).length;
}

/** A line from rim to rim, bent further for each edge between the same two; a loop where they are one. */
function edgePath(from, to, rank) {
  if (from === to) return loopPath(from, rank);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.max(Math.hypot(dx, dy), 1);
  const isForward = dx > 0 || (dx === 0 && dy > 0);
  const bend = (18 + 34 * Math.floor(rank / 2)) * (rank % 2 === 0 ? 1 : -1) * (isForward ? 1 : -1);
  const middle = { x: from.x + dx / 2 - (dy / length) * bend, y: from.y + dy / 2 + (dx / length) * bend };
  const [a, b] = [onRim(from, middle), onRim(to, middle)];
  return `M${round(a.x)} ${round(a.y)} Q${round(middle.x)} ${round(middle.y)} ${round(b.x)} ${round(b.y)}`;
}

function onRim(center, towards) {
  const [dx, dy] = [towards.x - center.x, towards.y - center.y];
  const ratio = (NODE_RADIUS + 7) / Math.max(Math.hypot(dx, dy), 1);
  return { x: center.x + dx * ratio, y: center.y + dy * ratio };
}

function loopPath({ x, y }, rank) {
  const size = 58 + rank * 22;
  const start = { x: x - 18, y: y - NODE_RADIUS - 2 };
  const end = { x: x + 18, y: y - NODE_RADIUS - 2 };
  return `M${round(start.x)} ${round(start.y)} C${round(x - size)} ${round(y - size - 40)} ${round(x + size)} ${round(y - size - 40)} ${round(end.x)} ${round(end.y)}`;
}

function arrows() {
  const arrow = (id) =>
    shape(
      'marker',
      { id, viewBox: '0 0 10 10', refX: 8, refY: 5, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' },
      shape('path', { d: 'M0 0 10 5 0 10z' }),
    );
  return shape('defs', {}, arrow('arrow'), arrow('arrow-drop'));
}

function round(length) {
  return Math.round(length * 10) / 10;
}
