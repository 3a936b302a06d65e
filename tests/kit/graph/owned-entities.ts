import type { Json } from '../platform.js';

/**
 * Entities that only their owner may see: name, subgraph, type, field of the key, a query of the owner, which of its answer
 * is the entity, and the fields to compare.
 */
export const OWNED_ENTITIES = [
  [
    'a group',
    'network',
    'Group',
    'id',
    'me { groups { id label owner { id } } }',
    (me: Json) => me.groups.at(-1),
    'id label owner { id }',
  ],
  [
    'a certificate',
    'network',
    'Certificate',
    'fingerprint',
    'peers { certificate { fingerprint owner { id } } }',
    (peers: Json) => peers.at(-1).certificate,
    'fingerprint owner { id }',
  ],
  [
    'a record',
    'infrastructure',
    'OverlayCertificateRecord',
    'reference',
    'overlayCertificates { reference state owner { id } }',
    (rows: Json) => rows[0],
    'reference state owner { id }',
  ],
  [
    'a transaction',
    'accounts',
    'Transaction',
    'id',
    'transactions { id status owner { id } }',
    (rows: Json) => rows[0],
    'id status owner { id }',
  ],
  [
    'a folder',
    'sync',
    'Folder',
    'id',
    'me { folders { id label owner { id } } }',
    (me: Json) => me.folders[0],
    'id label owner { id }',
  ],
  [
    'a bucket',
    'infrastructure',
    'Bucket',
    'name',
    'buckets { name createdAt owner { id } }',
    (rows: Json) => rows[0],
    'name createdAt owner { id }',
  ],
  [
    'a machine',
    'infrastructure',
    'VmInstance',
    'uuid',
    'vmInstances { uuid name }',
    (rows: Json) => rows[0],
    'uuid name',
  ],
  [
    'a peer',
    'network',
    'Peer',
    'id',
    'peers { id owner { id } vmInstance { uuid } }',
    (peers: Json) => peers.find(({ vmInstance }: Json) => vmInstance !== null),
    'id owner { id } vmInstance { uuid }',
  ],
] as const;
