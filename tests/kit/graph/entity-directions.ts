import type { Json } from '../platform.js';

/** Rows of machines that were charged once. */
const copiesBy = (field: string, rows: Json[]): Json[] => rows.filter((row) => row[field].startsWith('copy-'));
const copies = (rows: Json[]): Json[] => copiesBy('name', rows);

/** The day for which the copied folder is charged. */
const dayOf = (label: string): string =>
  new Date(Date.UTC(2026, 10, 1 - Number(label.slice('copy-'.length)))).toISOString().slice(0, 10);

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
    `{ me { id vmInstances { name owner { id username } peer { label } } peers { label owner { username } vmInstance { name } }
        groups { owner { username } } buckets { name owner { username } policy { wanted } }
        certificates { state owner { username } peer { label certificate { owner { username } } } } } }`,
    ({ me }) => [
      ...me.vmInstances.map(({ owner }: Json) => owner.id === me.id && owner.username !== undefined),
      ...copiesBy('label', me.peers).map(({ label, vmInstance }) => vmInstance.name === label),
      ...me.certificates.map(({ peer }: Json) => peer.label.startsWith('copy-')),
      ...[...me.peers, ...me.groups, ...me.buckets, ...me.certificates].map(({ owner }: Json) => !!owner.username),
      ...me.certificates.map(({ peer }: Json) => !!peer.certificate.owner.username),
      me.buckets.length === me.certificates.length,
    ],
  ],
  [
    'folders to their charges and their lines in the statement',
    '{ me { folders { label charges { day credits charge { charges(first: 1) { lines { amount } } } } } } }',
    ({ me }) =>
      copiesBy('label', me.folders).map(({ label, charges: [{ day, charge }, ...others] }) => {
        const [line] = charge.charges.lines;
        return others.length === 0 && day === dayOf(label) && line.amount === '-0.1';
      }),
  ],
  [
    'lines of the statement to the folders that they charge',
    '{ statement(first: 200) { lines { source subject { ... on StorageCharge { day folders { folder { label } } } } } } }',
    ({ statement }) =>
      statement.lines
        .filter(({ source }: Json) => source === 'storage')
        .map(({ subject }: Json) => dayOf(subject.folders[0].folder.label) === subject.day),
  ],
  [
    'folders to their owner and back',
    '{ me { id folders { label owner { id username folders { label } storage { fileCount } } } } }',
    ({ me }) =>
      copiesBy('label', me.folders).map(
        ({ owner }) =>
          owner.id === me.id && owner.folders.length === me.folders.length && owner.storage.fileCount === 0,
      ),
  ],
  [
    'transactions to their owner',
    '{ me { id } transactions { id owner { id username } } }',
    ({ me, transactions }) => transactions.map(({ owner }: Json) => owner.id === me.id && owner.username !== undefined),
  ],
  [
    'machines to their cost',
    '{ vmInstances { billing { state } } }',
    ({ vmInstances }) => vmInstances.map(({ billing }: Json) => !!billing.state),
  ],
];
