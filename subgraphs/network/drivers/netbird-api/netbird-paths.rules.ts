import type { ObjectKind } from '../netbird-objects/actual.rules.js';

/** Where objects of a kind are listed and created. @param networkId of resources and routers */
export function pathOf(kind: ObjectKind, networkId: string | null): string {
  if (kind === 'resource' || kind === 'router') return `/api/networks/${networkId}/${kind}s`;
  return {
    group: '/api/groups',
    peer: '/api/groups',
    network: '/api/networks',
    policy: '/api/policies',
    key: '/api/setup-keys',
  }[kind];
}
