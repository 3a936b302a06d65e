/** Steps of the simulation after a change, and what its forces are. Lengths are in units of the drawing. */
const STEPS = 220;
const REST_LENGTH = 170;
const REPULSION = 34_000;
const SPRING = 0.05;
const GRAVITY = 0.012;

/** Nodes beyond this number get fewer steps, as each step compares all pairs. */
const PAIRS_IN_TIME = 2_000_000;

/**
 * Places nodes by forces: edges pull, nodes push each other away. Nodes that have a place begin there, so that a small
 * change moves little; new ones begin on a spiral, the same one for the same graph.
 * @param {readonly {id: string}[]} nodes
 * @param {readonly {source: string, target: string}[]} edges
 * @param {ReadonlyMap<string, {x: number, y: number}>} before
 * @returns {Map<string, {x: number, y: number}>}
 */
export function placeNodes(nodes, edges, before) {
  const places = new Map(nodes.map(({ id }, i) => [id, { ...(before.get(id) ?? onSpiral(i)) }]));
  const all = [...places.values()];
  const springs = edges
    .filter(({ source, target }) => source !== target)
    .map(({ source, target }) => [places.get(source), places.get(target)])
    .filter(([a, b]) => a && b);
  const steps = Math.max(20, Math.min(STEPS, Math.floor(PAIRS_IN_TIME / Math.max(1, all.length ** 2))));
  for (let step = 0; step < steps; step += 1) move(all, springs, 1 - step / steps);
  return places;
}

function onSpiral(i) {
  const angle = i * 2.399963; // the golden angle: no two directions alike
  const radius = 70 * Math.sqrt(i);
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

function move(all, springs, heat) {
  const forces = new Map(all.map((place) => [place, { x: -place.x * GRAVITY, y: -place.y * GRAVITY }]));
  for (const [i, a] of all.entries()) for (const b of all.slice(i + 1)) push(a, b, forces);
  for (const [a, b] of springs) pull(a, b, forces);
  for (const [place, force] of forces) {
    const length = Math.hypot(force.x, force.y);
    const step = Math.min(length, 24 * heat + 0.2);
    if (length > 0) {
      place.x += (force.x / length) * step;
      place.y += (force.y / length) * step;
    }
  }
}

function push(a, b, forces) {
  const dx = a.x - b.x || 0.1;
  const dy = a.y - b.y || 0.1;
  const distance = Math.max(Math.hypot(dx, dy), 1);
  const strength = REPULSION / distance ** 2 / distance;
  apply(forces, a, dx * strength, dy * strength);
  apply(forces, b, -dx * strength, -dy * strength);
}

function pull(a, b, forces) {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const distance = Math.max(Math.hypot(dx, dy), 1);
  const strength = (SPRING * (distance - REST_LENGTH)) / distance;
  apply(forces, a, dx * strength, dy * strength);
  apply(forces, b, -dx * strength, -dy * strength);
}

function apply(forces, place, x, y) {
  const force = forces.get(place);
  force.x += x;
  force.y += y;
}
