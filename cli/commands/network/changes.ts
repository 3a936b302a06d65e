import { counted } from '../../output.js';
import type { Session } from '../../session.js';
import { GRAPH, resourcesOf } from './graph.js';

/** A row that a change creates, updates or deletes. Before and after are JSON. */
interface Row {
  readonly kind: string;
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Packets that may pass from one node of the topology to another. */
interface Traffic {
  readonly from: string;
  readonly to: string;
  readonly protocol: string;
  readonly ports: readonly string[];
}

/** Who gains and who loses. */
interface Effect {
  readonly opens: readonly Traffic[];
  readonly closes: readonly Traffic[];
  readonly opensTotal: number;
  readonly closesTotal: number;
}

interface Change {
  readonly rows?: readonly Row[];
  readonly effect?: Effect;
}

/** Writes the rows that change, and who gains and who loses, by the labels of the nodes. */
export async function showChange(session: Session, { rows = [], effect }: Change): Promise<void> {
  const { output } = session;
  const labels = await labelsOf(session, rows, effect);
  for (const row of rows) output.line(`${signOf(row)} ${titleOf(row, labels)}`);
  if (!effect) return;
  for (const one of effect.opens) output.line(`gains  ${trafficOf(one, labels)}`);
  for (const one of effect.closes) output.line(`loses  ${trafficOf(one, labels)}`);
  const changes = rows.length === 0 ? '' : `${counted(rows.length, 'entry changes', 'entries change')}; `;
  const gains = counted(effect.opensTotal, 'pair gains', 'pairs gain');
  output.line(`${changes}${gains}, ${counted(effect.closesTotal, 'loses', 'lose')}`);
}

/** Returns the labels of the nodes and of the changed rows by their keys, such as `peer:3`. */
async function labelsOf(
  { client }: Session,
  rows: readonly Row[],
  { opens, closes }: Pick<Effect, 'opens' | 'closes'> = { opens: [], closes: [] },
): Promise<ReadonlyMap<string, string>> {
  const hasResources =
    rows.some(({ kind }) => kind === 'resource_group') ||
    [...opens, ...closes].some(({ to }) => to.startsWith('resource:'));
  const graph = await client.graphql(GRAPH);
  const resources = hasResources ? await resourcesOf(client, graph) : [];
  return new Map<string, string>([
    ...resources.map(({ id, name }) => [`resource:${id}`, name] as const),
    ...graph.peers.map(({ id, label }) => [`peer:${id}`, label] as const),
    ...graph.groups.map(({ id, label }) => [`group:${id}`, label] as const),
    ...rows.map((row) => [`${row.kind}:${row.id}`, nameOf(row)] as const),
  ]);
}

function trafficOf({ from, to, protocol, ports }: Traffic, labels: ReadonlyMap<string, string>): string {
  return `${labels.get(from) ?? from} -> ${labels.get(to) ?? to} ${protocol} ${ports.join(',')}`.trimEnd();
}

function titleOf(row: Row, labels: ReadonlyMap<string, string>): string {
  const membership = membershipOf(row);
  if (!membership) return `${row.kind} ${nameOf(row)}`;
  const { member, group } = membership;
  return `member ${labels.get(member) ?? member} in ${labels.get(group) ?? group}`;
}

/** The keys of the member and the group of a membership; undefined for other rows. */
function membershipOf({ kind, id }: Row): { readonly member: string; readonly group: string } | undefined {
  const [first, second] = id.split('-');
  if (kind === 'member') return { group: `group:${first}`, member: `peer:${second}` };
  if (kind === 'resource_group') return { member: `resource:${first}`, group: `group:${second}` };
  return undefined;
}

function nameOf({ id, before, after }: Row): string {
  const row = JSON.parse(after ?? before ?? '{}') as { readonly name?: string; readonly label?: string };
  return row.name ?? row.label ?? id;
}

function signOf({ before, after }: Row): '+' | '-' | '~' {
  if (before === null) return '+';
  return after === null ? '-' : '~';
}
