import { parse } from 'graphql';
import type { GraphQLResolverMap, GraphQLSchemaModule } from '@apollo/subgraph';

/** The measured operations: a small one of one subgraph, one of all four subgraphs, a list of 500 objects. */
export const OPERATIONS = {
  small: 'query Me { me { id username balance { balance lastUpdated } } }',
  'four subgraphs': `query Dashboard { me {
    id username balance { balance lastUpdated }
    instances { id name status flavor { name cpuCores memoryMb } node { id type label } }
    folders { folderHash label fileCount totalBytes }
  } }`,
  large: `query Topology { topology {
    nodes { id type label online } edges { id type source target policyId isManaged }
  } }`,
} as const;

const timeOf = (n: number) => new Date(1_700_000_000_000 + n * 1_000).toISOString();
const listOf = <Item>(count: number, item: (n: number) => Item) => Array.from({ length: count }, (_, n) => item(n));

const FLAVORS = listOf(5, (n) => ({ name: `flavor-${n}`, cpuCores: 2 ** n, memoryMb: 2048 * (n + 1) }));
const INSTANCES = listOf(20, (n) => ({
  id: `vm-${n}`,
  name: `machine-${n}`,
  status: n % 3 === 0 ? 'stopped' : 'running',
  flavor: FLAVORS[n % FLAVORS.length],
}));
const FOLDERS = listOf(10, (n) => ({
  folderHash: n.toString(16).padStart(16, 'a'),
  label: `Folder ${n}`,
  fileCount: 100 * n,
  totalBytes: `${123_456_789 * n}`,
}));
const TYPES = ['group', 'peer', 'resource', 'router'];
const NODES = listOf(200, (n) => ({ id: `node:${n}`, type: TYPES[n % 4], label: `node-${n}`, online: n % 2 === 0 }));
const EDGES = listOf(300, (n) => ({
  id: `policy:${n}`,
  type: 'policy',
  source: `node:${n % 200}`,
  target: `node:${(n * 7) % 200}`,
  policyId: n,
  isManaged: n % 5 === 0,
}));
const ACCOUNT = {
  id: '1',
  username: 'alice',
  balance: { balance: '1234.567800', lastUpdated: timeOf(9) },
};
const nodeOf = ({ id }: { readonly id: string }) => NODES[Number(id.slice(3))];

const ACCOUNT_FIELDS = 'id: ID! username: String! balance: Balance!';
const BALANCE = 'type Balance { balance: String! lastUpdated: String! }';
const FLAVOR = 'type Flavor { name: String! cpuCores: Int! memoryMb: Int! }';
const INSTANCE_FIELDS = 'id: ID! name: String! status: String! flavor: Flavor!';
const TOPOLOGY = `
  type Topology { nodes: [Node!]! edges: [Edge!]! }
  type Node { id: ID! type: String! label: String! online: Boolean! }
  type Edge { id: ID! type: String! source: ID! target: ID! policyId: Int isManaged: Boolean! }`;
const FOLDER = 'type Folder { folderHash: ID! label: String! fileCount: Int! totalBytes: String! }';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])\n';

function moduleOf(types: string, resolvers: GraphQLResolverMap): GraphQLSchemaModule {
  return { typeDefs: parse(LINK + types), resolvers };
}

const topology = () => ({ nodes: NODES, edges: EDGES });
const reference = (value: unknown) => value;

/** Four subgraphs over constant data. */
export const MODULES: Readonly<Record<string, GraphQLSchemaModule>> = {
  accounts: moduleOf(`type Query { me: Account } type Account @key(fields: "id") { ${ACCOUNT_FIELDS} } ${BALANCE}`, {
    Query: { me: () => ACCOUNT },
    Account: { __resolveReference: () => ACCOUNT },
  }),
  infrastructure: moduleOf(
    `type Account @key(fields: "id") { id: ID! instances: [Instance!]! } type Instance @key(fields: "id") { ${INSTANCE_FIELDS} } ${FLAVOR}`,
    { Account: { __resolveReference: reference, instances: () => INSTANCES } },
  ),
  network: moduleOf(
    `type Query { topology: Topology! } type Instance @key(fields: "id") { id: ID! node: Node } ${TOPOLOGY}`,
    { Query: { topology }, Instance: { __resolveReference: reference, node: nodeOf } },
  ),
  sync: moduleOf(`type Account @key(fields: "id") { id: ID! folders: [Folder!]! } ${FOLDER}`, {
    Account: { __resolveReference: reference, folders: () => FOLDERS },
  }),
};

/** The same API as one schema. */
export const MONOLITH = {
  typeDefs: `
    type Query { me: Account topology: Topology! }
    type Account { ${ACCOUNT_FIELDS} instances: [Instance!]! folders: [Folder!]! }
    type Instance { ${INSTANCE_FIELDS} node: Node }
    ${BALANCE} ${FLAVOR} ${TOPOLOGY} ${FOLDER}`,
  resolvers: {
    Query: { me: () => ACCOUNT, topology },
    Account: { instances: () => INSTANCES, folders: () => FOLDERS },
    Instance: { node: nodeOf },
  },
} as const;
