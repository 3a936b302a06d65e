import type { Command } from 'commander';
import { stringify } from 'yaml';
import { graphql, PlatformError, type ResultOf } from '../../../sdk/src/index.js';
import { confirm, previewOf, YES, type Confirmed } from '../../confirm.js';
import { counted } from '../../output.js';
import { run, type Session } from '../../session.js';
import { showChange } from './changes.js';
import { GRAPH, INSIDE } from './graph.js';
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

/** Adds `net export`, `net plan` and `net apply`. */
export function addDocument(net: Command): void {
  net.command('export').description('print the network as YAML, for net apply').action(run(exportNetwork));
  net
    .command('plan <file>')
    .description('show what applying a file would change, and which access it opens or closes; - reads standard input')
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
  // A label of several machines is ambiguous: the id is added.
  const isShared = (label: string) => peers.filter((peer) => peer.label === label).length > 1;
  const inside = networks.map(async ({ id, name, description }) => {
    const { resources, routers } = await client.graphql(INSIDE, { id });
    return {
      name,
      ...(description !== null && { description }),
      resources: resources.map(({ id: _id, groups: ids, ...rest }) => ({ ...rest, groups: namesOf(ids) })),
      routers: routers.map(({ peerId, ...rest }) => {
        const peer = peerNames.get(peerId) ?? '';
        return { peer, ...(isShared(peer) && { peerId }), ...rest };
      }),
    };
  });
  const document = {
    groups: groups.filter(({ isDefault }) => !isDefault).map(({ label }) => label),
    peers: peers
      .filter((peer) => peer.groups.length > 0)
      .map(({ id, label, groups: ids }) => ({ label, ...(isShared(label) && { id }), groups: namesOf(ids) })),
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
  else await showPlan(session, plan);
}

async function applyFile(session: Session, [file = '']: readonly string[], { yes }: Confirmed) {
  const { client, output, program } = session;
  const read = await readNetworkFile(file);
  const plan = await planOf(session, read);
  const { graphRevision, items } = plan;
  if (items.length === 0) return output.done('nothing to change', { changed: 0 });
  const preview = previewOf(output, yes);
  if (preview) await showPlan({ ...session, output: preview }, plan);
  await confirm('Apply?', yes);
  const { applyNetwork } = await client.graphql(APPLY, { document: read.document, graphRevision });
  const changed = counted(items.length, 'entry', 'entries');
  output.done(`changed ${changed}; undo with: ${program} net undo ${applyNetwork.id}`, {
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

function showPlan(session: Session, { items, ...effect }: Plan): Promise<void> {
  return showChange(session, { rows: items, effect });
}
