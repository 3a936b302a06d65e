import { shape } from './dom.js';
import { placeNodes } from './layout.js';

/** Half the height of a node; its width follows its label. Lengths are in units of the drawing. */
const HALF_HEIGHT = 19;
const MARGIN = 70;
const LONGEST_LABEL = 22;
const LETTER_WIDTH = 8;

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
      outline(type, halfWidth(label)),
      shape('text', { y: 5, 'aria-hidden': 'true' }, shortened(label)),
    );
  }

  #edge(edge, rank) {
    const { id, source, target, meta } = edge;
    const endAt = (node) => ({ ...this.#places.get(node), width: halfWidth(this.#graph.nodes.get(node).label) });
    const path = source === target ? loopPath(endAt(source), rank) : edgePath(endAt(source), endAt(target), rank);
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

function shortened(label) {
  return label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;
}

function halfWidth(label) {
  return Math.max(26, (shortened(label).length * LETTER_WIDTH) / 2 + 16);
}

function outline(type, width) {
  const [w, h] = [round(width), HALF_HEIGHT];
  if (type === 'router')
    return shape('polygon', { points: `${-w},0 ${12 - w},${-h} ${w - 12},${-h} ${w},0 ${w - 12},${h} ${12 - w},${h}` });
  const corners = { group: h, peer: 6 };
  return shape('rect', { x: -w, y: -h, width: 2 * w, height: 2 * h, rx: corners[type] ?? 0 });
}

/** How many edges before this one join the same two nodes. */
function rankAmong(edges, i) {
  const pair = ({ source, target }) => (source < target ? `${source} ${target}` : `${target} ${source}`);
  return edges.slice(0, i).filter((other) => pair(other) === pair(edges[i])).length;
}

/** A line from rim to rim, bent further for each edge between the same two. */
function edgePath(from, to, rank) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.max(Math.hypot(dx, dy), 1);
  const isForward = dx > 0 || (dx === 0 && dy > 0);
  const bend = (16 + 34 * Math.floor(rank / 2)) * (rank % 2 === 0 ? 1 : -1) * (isForward ? 1 : -1);
  const middle = { x: from.x + dx / 2 - (dy / length) * bend, y: from.y + dy / 2 + (dx / length) * bend };
  const [a, b] = [onRim(from, middle), onRim(to, middle)];
  return `M${round(a.x)} ${round(a.y)} Q${round(middle.x)} ${round(middle.y)} ${round(b.x)} ${round(b.y)}`;
}

/** Where the way from the center of a node to a point leaves the node, a little outside. */
function onRim({ x, y, width }, towards) {
  const [dx, dy] = [towards.x - x, towards.y - y];
  const ratio = Math.min((width + 4) / Math.max(Math.abs(dx), 0.1), (HALF_HEIGHT + 4) / Math.max(Math.abs(dy), 0.1), 1);
  return { x: x + dx * ratio, y: y + dy * ratio };
}

/** A loop above the node, higher for each edge that leads back to it. */
function loopPath({ x, y }, rank) {
  const [rim, top] = [round(y - HALF_HEIGHT - 4), round(y - HALF_HEIGHT - 62 - rank * 22)];
  const wide = 40 + rank * 16;
  return `M${round(x - 12)} ${rim} C${round(x - wide)} ${top} ${round(x + wide)} ${top} ${round(x + 12)} ${rim}`;
}

function arrows() {
  const arrow = (id) =>
    shape(
      'marker',
      {
        id,
        viewBox: '0 0 10 10',
        refX: 9,
        refY: 5,
        markerWidth: 12,
        markerHeight: 12,
        markerUnits: 'userSpaceOnUse',
        orient: 'auto-start-reverse',
      },
      shape('path', { d: 'M0 0 10 5 0 10z' }),
    );
  return shape('defs', {}, arrow('arrow'), arrow('arrow-drop'));
}

function round(length) {
  return Math.round(length * 10) / 10;
}
