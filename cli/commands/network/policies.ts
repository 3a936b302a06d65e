import { Option, type Command } from 'commander';
import { graphql, type VariablesOf } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { run, type Session } from '../../session.js';
import { showChange } from './changes.js';
import { GRAPH, groupOf, policyOf, PROTOCOLS } from './graph.js';

const REMOVE_POLICY = graphql('mutation ($id: Int!) { deletePolicy(id: $id) }');

const SWITCH_POLICY = graphql(
  'mutation ($id: Int!, $enabled: Boolean!) { updatePolicy(id: $id, enabled: $enabled) { id name enabled } }',
);

const ADD_POLICY = graphql(`
  mutation (
    $source: Int!
    $dest: Int!
    $protocol: PolicyProtocol
    $ports: [String!]
    $bidirectional: Boolean
    $action: PolicyAction
    $name: String
  ) {
    createPolicy(
      sourceGroupId: $source
      destGroupId: $dest
      protocol: $protocol
      ports: $ports
      bidirectional: $bidirectional
      action: $action
      name: $name
    ) {
      id
      name
    }
  }
`);

const PLAN_POLICY = graphql(`
  query (
    $source: Int!
    $dest: Int!
    $protocol: PolicyProtocol
    $ports: [String!]
    $bidirectional: Boolean
    $action: PolicyAction
  ) {
    planPolicy(
      sourceGroupId: $source
      destGroupId: $dest
      protocol: $protocol
      ports: $ports
      bidirectional: $bidirectional
      action: $action
    ) {
      opensTotal
      closesTotal
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

interface PolicyOptions {
  readonly protocol?: (typeof PROTOCOLS)[number];
  readonly ports?: string;
  readonly oneWay?: boolean;
  readonly drop?: boolean;
  readonly name?: string;
  readonly plan?: boolean;
}

/** Adds `net policy`. */
export function addPolicies(net: Command): void {
  const policy = net.command('policy').description('policies between groups');
  policy.command('list').description('list policies').action(run(listPolicies));
  policy
    .command('create <source> <dest>')
    .alias('add')
    .description('create a policy')
    .addOption(new Option('--protocol <name>', 'protocol').choices(PROTOCOLS))
    .option('--ports <list>', 'ports and ranges, such as 80,443,8000-8100')
    .option('--one-way', 'from the source to the destination only')
    .option('--drop', 'drop the traffic instead of accepting it')
    .option('--name <name>', 'name of the policy')
    .option('--plan', 'show what would change, and change nothing')
    .action(run(addPolicy));
  policy
    .command('enable <policy>')
    .description('enable a policy')
    .action(run((session, [name = '']) => switchPolicy(session, name, true)));
  policy
    .command('disable <policy>')
    .description('disable a policy')
    .action(run((session, [name = '']) => switchPolicy(session, name, false)));
  policy
    .command('rm <policy>')
    .description('delete a policy')
    .option(...YES)
    .action(run(removePolicy));
}

async function listPolicies({ client, output }: Session): Promise<void> {
  const { policies, groups } = await client.graphql(GRAPH);
  const labelOf = (id: number) => groups.find((group) => group.id === id)?.label;
  output.table(policies, [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['from', ({ sourceGroupId }) => labelOf(sourceGroupId)],
    ['', ({ bidirectional }) => (bidirectional ? '<->' : '-->')],
    ['to', ({ destGroupId }) => labelOf(destGroupId)],
    ['protocol', ({ protocol }) => protocol],
    ['ports', ({ ports }) => (ports.length === 0 ? 'all' : ports.join(','))],
    ['action', ({ action }) => action],
    ['enabled', ({ enabled }) => (enabled ? 'yes' : 'no')],
  ]);
}

async function addPolicy(
  session: Session,
  [source = '', dest = '']: readonly string[],
  options: PolicyOptions,
): Promise<void> {
  const { client, output } = session;
  const graph = await client.graphql(GRAPH);
  const groups = { source: groupOf(graph, source, session).id, dest: groupOf(graph, dest, session).id };
  const variables = { ...groups, ...variablesOf(options) };
  if (options.plan === true) return planPolicy(session, variables);
  const { createPolicy } = await client.graphql(ADD_POLICY, { ...variables, name: options.name ?? null });
  output.done(`${createPolicy.name} has the id ${createPolicy.id}`, createPolicy);
}

/** The variables of a policy as the options say. Ports without a protocol are tcp. */
function variablesOf({ protocol, ports, oneWay, drop }: PolicyOptions) {
  return {
    protocol: protocol ?? (ports === undefined ? null : ('tcp' as const)),
    ports: ports?.split(',') ?? null,
    bidirectional: oneWay === true ? false : null,
    action: drop === true ? ('drop' as const) : null,
  };
}

async function planPolicy(session: Session, variables: VariablesOf<typeof PLAN_POLICY>): Promise<void> {
  const { client, output } = session;
  const { planPolicy: plan } = await client.graphql(PLAN_POLICY, variables);
  if (output.isJson) output.json(plan);
  else await showChange(session, { effect: plan });
}

async function switchPolicy(session: Session, name: string, enabled: boolean): Promise<void> {
  const { client, output } = session;
  const { id } = policyOf(await client.graphql(GRAPH), name, session);
  const { updatePolicy } = await client.graphql(SWITCH_POLICY, { id, enabled });
  output.done(`${updatePolicy.name} is ${enabled ? 'enabled' : 'disabled'}`, updatePolicy);
}

async function removePolicy(session: Session, [name = '']: readonly string[], { yes }: Confirmed): Promise<void> {
  const { client, output } = session;
  const { id } = policyOf(await client.graphql(GRAPH), name, session);
  await confirm(`Delete the policy ${name}?`, yes, 'deleted');
  await client.graphql(REMOVE_POLICY, { id });
  output.done(`deleted ${name}`, { id });
}
