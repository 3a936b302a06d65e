import type { Command } from 'commander';
import { stringify } from 'yaml';
import { graphql, PlatformError, type ResultOf } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { counted, type Output } from '../../output.js';
import { run, type Session } from '../../session.js';
import { GRAPH } from './graph.js';
import { readNetworkFile, type NetworkFile } from './network-file.js';

const PLAN = graphql(`
  query ($document: NetworkDocument!) {
    planNetwork(document: $document) {
      graphRevision
      opensTotal
      closesTotal
      items {
        kind
        id
        before
        after
      }
      opens {
        from
        to
        protocol
        ports
      }
      closes {
        from
        to
        protocol
        ports
      }
    }
  }
`);
type Plan = ResultOf<typeof PLAN>['planNetwork'];

const APPLY = graphql(`
  mutation ($document: NetworkDocument!, $graphRevision: Int!) {
    applyNetwork(document: $document, graphRevision: $graphRevision) {
      id
      revision
    }
  }
`);

const INSIDE = graphql(`
  query ($id: Int!) {
    resources(networkId: $id) {
      id
      name
      address
      groups
      enabled
    }
    routers(networkId: $id) {
      peerId
      metric
      masquerade
      enabled
    }
  }
`);

/** Adds `net export`, `net plan` and `net apply`. */
export function addDocument(net: Command): void {
  net.command('export').description('print the network as YAML, for net apply').action(run(exportNetwork));
  net
    .command('plan <file>')
    .description('show what applying a file would change, who gains and who loses; - reads standard input')
    .action(run(planFile));
  net
    .command('apply <file>')
    .description('make the network what the file says, in one change; lists that the file omits stay')
    .option(...YES)
    .action(run(applyFile));
}

async function exportNetwork({ client, output }: Session): Promise<void> {
  const { groups, peers, policies, networks } = await client.graphql(GRAPH);
  const labels = new Map(groups.map(({ id, label }) => [id, label]));
  const namesOf = (ids: readonly number[]) => ids.map((id) => labels.get(id) ?? '');
  const peerNames = new Map(peers.map(({ id, label }) => [id, label]));
  const inside = networks.map(async ({ id, name, description }) => {
    const { resources, routers } = await client.graphql(INSIDE, { id });
    return {
      name,
      ...(description !== null && { description }),
      resources: resources.map(({ id: _id, groups: ids, ...rest }) => ({ ...rest, groups: namesOf(ids) })),
      routers: routers.map(({ peerId, ...rest }) => ({ peer: peerNames.get(peerId) ?? '', ...rest })),
    };
  });
  const document = {
    groups: groups.filter(({ isDefault }) => !isDefault).map(({ label }) => label),
    peers: peers
      .filter((peer) => peer.groups.length > 0)
      .map((peer) => ({ label: peer.label, groups: namesOf(peer.groups) })),
    policies: policies
      .filter(({ isManaged }) => !isManaged)
      .map(({ id: _id, isManaged: _isManaged, sourceGroupId, destGroupId, ...rest }) => ({
        ...rest,
        source: labels.get(sourceGroupId) ?? '',
        destination: labels.get(destGroupId) ?? '',
      })),
    networks: await Promise.all(inside),
  };
  if (output.isJson) output.json(document);
  else output.text(stringify(document).trimEnd());
}

async function planFile(session: Session, [file = '']: readonly string[]): Promise<void> {
  const plan = await planOf(session, await readNetworkFile(file));
  if (session.output.isJson) session.output.json(plan);
  else await showPlan(session, plan, session.output);
}

async function applyFile(session: Session, [file = '']: readonly string[], { yes }: Confirmed) {
  const { client, output, program } = session;
  const read = await readNetworkFile(file);
  const plan = await planOf(session, read);
  const { graphRevision, items } = plan;
  if (items.length === 0) return output.done('nothing to change', { changed: 0 });
  if (!output.isJson) await showPlan(session, plan, output);
  await confirm('Apply?', yes);
  const { applyNetwork } = await client.graphql(APPLY, { document: read.document, graphRevision });
  output.done(`changed ${counted(items.length, 'row', 'rows')}; undo with: ${program} net undo`, {
    ...applyNetwork,
    changed: items.length,
  });
}

/** @throws PlatformError that names the place in the file if the platform refuses the document */
async function planOf({ client }: Session, { document, atPlace }: NetworkFile): Promise<Plan> {
  try {
    return (await client.graphql(PLAN, { document })).planNetwork;
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== 'BAD_REQUEST') throw error;
    throw new PlatformError(atPlace(error.message), error.status, error.code, error.body);
  }
}

/** The keys of the member and the group of a membership; undefined for other rows. */
function membershipOf({ kind, id }: Item): { readonly member: string; readonly group: string } | undefined {
  const [first, second] = id.split('-');
  if (kind === 'member') return { group: `group:${first}`, member: `peer:${second}` };
  if (kind === 'resource_group') return { member: `resource:${first}`, group: `group:${second}` };
  return undefined;
}

/** Writes what changes, and who gains and loses, by the labels of the nodes. */
async function showPlan({ client }: Session, { items, ...plan }: Plan, output: Output): Promise<void> {
  const { peers, groups, networks } = await client.graphql(GRAPH);
  const hasResources = items.some(({ kind }) => kind === 'resource_group');
  const resources = hasResources
    ? networks.map(async ({ id }) => (await client.graphql(INSIDE, { id })).resources)
    : [];
  const labels = new Map<string, string>([
    ...(await Promise.all(resources)).flat().map(({ id, name }) => [`resource:${id}`, name] as const),
    ...peers.map(({ id, label }) => [`peer:${id}`, label] as const),
    ...groups.map(({ id, label }) => [`group:${id}`, label] as const),
    ...items.map((item) => [`${item.kind}:${item.id}`, nameOf(item)] as const),
  ]);
  for (const item of items) output.line(`${signOf(item)} ${titleOf(item, labels)}`);
  const lineOf = ({ from, to, protocol, ports }: Plan['opens'][number]) =>
    `${labels.get(from) ?? from} -> ${labels.get(to) ?? to} ${protocol} ${ports.join(',')}`.trimEnd();
  for (const traffic of plan.opens) output.line(`gains  ${lineOf(traffic)}`);
  for (const traffic of plan.closes) output.line(`loses  ${lineOf(traffic)}`);
  const rows = counted(items.length, 'row changes', 'rows change');
  const gains = counted(plan.opensTotal, 'pair gains', 'pairs gain');
  output.line(`${rows}; ${gains}, ${counted(plan.closesTotal, 'loses', 'lose')}`);
}

type Item = Plan['items'][number];

function titleOf(item: Item, labels: ReadonlyMap<string, string>): string {
  const membership = membershipOf(item);
  if (!membership) return `${item.kind} ${nameOf(item)}`;
  const { member, group } = membership;
  return `member ${labels.get(member) ?? member} in ${labels.get(group) ?? group}`;
}

function nameOf({ id, before, after }: Item): string {
  const row = JSON.parse(after ?? before ?? '{}') as { readonly name?: string; readonly label?: string };
  return row.name ?? row.label ?? id;
}

function signOf({ before, after }: Item): '+' | '-' | '~' {
  if (before === null) return '+';
  return after === null ? '-' : '~';
}
