import type { Json } from './platform.js';

/** Rows of machines that were charged once. */
const copiesBy = (field: string, rows: Json[]): Json[] => rows.filter((row) => row[field].startsWith('copy-'));
const copies = (rows: Json[]): Json[] => copiesBy('name', rows);

/** Queries over a list, by the path to its rows. Each row leads to another subgraph. */
export const DIRECTIONS: readonly (readonly [string, string, (data: Json) => Json[]])[] = [
  [
    'machines to their peers and back',
    '{ vmInstances { name peer { label vmInstance { name } } } }',
    ({ vmInstances }) => vmInstances.map(({ name, peer }: Json) => peer?.vmInstance?.name === name),
  ],
  [
    'peers to their machines and back',
    '{ peers { label status vmInstance { status peer { label groups } } } }',
    ({ peers }) => peers.map(({ label, vmInstance }: Json) => vmInstance?.peer?.label === label),
  ],
  [
    'nodes of the topology to their machines',
    '{ topology { nodes { type meta { peer { vmInstance { name } } } } } }',
    ({ topology }) =>
      topology.nodes.filter(({ type }: Json) => type === 'peer').map(({ meta }: Json) => !!meta.peer?.vmInstance?.name),
  ],
  [
    'lines of the statement to what they are about and back',
    `{ statement(first: 200) { lines { source subject { charges(first: 1) { lines { source } } __typename
        ... on VmInstance { name } ... on Transaction { status } } } } }`,
    ({ statement }) =>
      statement.lines
        .filter(({ source }: Json) => source === 'payment' || source === 'vm')
        .map(
          ({ source, subject }: Json) =>
            subject.charges.lines[0].source === source && !!(subject.name ?? subject.status),
        ),
  ],
  [
    'machines to their charges and back',
    '{ vmInstances { name charges { lines { subject { ... on VmInstance { name } } } next } } }',
    ({ vmInstances }) =>
      copies(vmInstances).map(
        ({ name, charges }) => charges.lines.length === 1 && charges.lines[0].subject.name === name,
      ),
  ],
  [
    'peers to their certificates, their records and back',
    '{ peers { label certificate { fingerprint peer { label } record { state peer { label } } } } }',
    ({ peers }) =>
      copiesBy('label', peers).map(
        ({ label, certificate: { peer, record } }) => peer.label === label && record.peer.label === label,
      ),
  ],
  [
    'machines to their certificates and back',
    '{ vmInstances { name certificate { peer { vmInstance { name } } } } }',
    ({ vmInstances }) => copies(vmInstances).map(({ name, certificate }) => certificate.peer.vmInstance.name === name),
  ],
  [
    'records of certificates to their peers and back',
    '{ overlayCertificates { reference peer { certificate { record { reference state } } } } }',
    ({ overlayCertificates }) =>
      overlayCertificates.map(({ reference, peer }: Json) => peer.certificate.record.reference === reference),
  ],
  [
    'groups to their peers and back',
    '{ me { groups { label peers { label memberOf { label } } } } }',
    ({ me }) => copiesBy('label', me.groups).map(({ label, peers }) => peers[0].memberOf[0].label === label),
  ],
  [
    'everything of the user and back to the user',
    `{ me { id vmInstances { name owner { id username } peer { label } } peers { label vmInstance { name } }
        buckets { name policy { wanted } } certificates { state peer { label } } } }`,
    ({ me }) => [
      ...me.vmInstances.map(({ owner }: Json) => owner.id === me.id && owner.username !== undefined),
      ...copiesBy('label', me.peers).map(({ label, vmInstance }) => vmInstance.name === label),
      ...me.certificates.map(({ peer }: Json) => peer.label.startsWith('copy-')),
      me.buckets.length === me.certificates.length,
    ],
  ],
  [
    'folders to their charges',
    '{ me { folders { label charges { day credits } } } }',
    ({ me }) =>
      copiesBy('label', me.folders).map(({ charges }) => charges.length === 1 && charges[0].day === '2026-11-01'),
  ],
  [
    'machines to their cost',
    '{ vmInstances { billing { state } } }',
    ({ vmInstances }) => vmInstances.map(({ billing }: Json) => !!billing.state),
  ],
];
