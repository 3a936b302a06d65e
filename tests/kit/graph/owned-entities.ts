import type { Json } from '../platform.js';

interface OwnedEntity {
  /** The entity in titles of tests. */
  readonly title: string;
  readonly subgraph: string;
  readonly type: string;
  /** Field of the key. */
  readonly field: string;
  /** A query of the owner. */
  readonly query: string;
  /** Returns the entity from the answer to the query. */
  readonly pick: (answer: Json) => Json;
  /** Fields to compare. */
  readonly fields: string;
}

/** Entities that only their owner may see. */
export const OWNED_ENTITIES: readonly OwnedEntity[] = [
  {
    title: 'a group',
    subgraph: 'network',
    type: 'Group',
    field: 'id',
    query: 'me { groups { id label owner { id } } }',
    pick: (me: Json) => me.groups.at(-1),
    fields: 'id label owner { id }',
  },
  {
    title: 'a certificate',
    subgraph: 'network',
    type: 'Certificate',
    field: 'fingerprint',
    query: 'peers { certificate { fingerprint owner { id } } }',
    pick: (peers: Json) => peers.at(-1).certificate,
    fields: 'fingerprint owner { id }',
  },
  {
    title: 'a record',
    subgraph: 'infrastructure',
    type: 'OverlayCertificateRecord',
    field: 'reference',
    query: 'overlayCertificates { reference state owner { id } }',
    pick: (rows: Json) => rows[0],
    fields: 'reference state owner { id }',
  },
  {
    title: 'a transaction',
    subgraph: 'accounts',
    type: 'Transaction',
    field: 'id',
    query: 'transactions { id status owner { id } }',
    pick: (rows: Json) => rows[0],
    fields: 'id status owner { id }',
  },
  {
    title: 'a folder',
    subgraph: 'sync',
    type: 'Folder',
    field: 'id',
    query: 'me { folders { id label owner { id } } }',
    pick: (me: Json) => me.folders[0],
    fields: 'id label owner { id }',
  },
  {
    title: 'a bucket',
    subgraph: 'infrastructure',
    type: 'Bucket',
    field: 'name',
    query: 'buckets { name createdAt owner { id } }',
    pick: (rows: Json) => rows[0],
    fields: 'name createdAt owner { id }',
  },
  {
    title: 'a machine',
    subgraph: 'infrastructure',
    type: 'VmInstance',
    field: 'uuid',
    query: 'vmInstances { uuid name }',
    pick: (rows: Json) => rows[0],
    fields: 'uuid name',
  },
  {
    title: 'a peer',
    subgraph: 'network',
    type: 'Peer',
    field: 'id',
    query: 'peers { id owner { id } vmInstance { uuid } }',
    pick: (peers: Json) => peers.find(({ vmInstance }: Json) => vmInstance !== null),
    fields: 'id owner { id } vmInstance { uuid }',
  },
];
