import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, type Json } from '../kit/platform.js';
import { signInWithNetwork } from '../kit/wallet.js';
import { fieldsOf } from './checks.js';

describe('GET /network/topology/', () => {
  let graph: Json;
  let group: Json;
  let policy: Json;
  beforeAll(async () => {
    const [{ token }, other] = await Promise.all([signInWithNetwork(), signInWithNetwork()]);
    await call('POST /api/network/groups/', { token: other.token, body: { label: 'theirs' } });
    ({ body: group } = await call('POST /api/network/groups/', { token, body: { label: 'web' } }));
    const ends = { source_group: group.id, dest_group: group.id };
    ({ body: policy } = await call('POST /api/network/policies/', { token, body: { ...ends, action: 'drop' } }));
    ({ body: graph } = await call('GET /api/network/topology', { token }));
  });

  it('answers nodes and edges', () => {
    expect(fieldsOf(graph)).toEqual(['edges', 'nodes']);
  });

  it('has a node for each group of the caller and no other', () => {
    expect(graph.nodes.map(({ label }: Json) => label)).toEqual(['all', 'web']);
  });

  it('has nodes with the documented fields', () => {
    expect(graph.nodes[1]).toEqual({ id: `group:${group.id}`, type: 'group', label: 'web', meta: expect.any(Object) });
  });

  it('has edges with the documented fields', () => {
    expect(graph.edges[1]).toEqual({
      id: `policy:${policy.id}`,
      type: 'policy',
      source: `group:${group.id}`,
      target: `group:${group.id}`,
      meta: expect.objectContaining({ policy_id: policy.id, is_managed: false }),
    });
  });

  it('marks the managed policy as read-only', () => {
    expect(graph.edges[0].meta.is_managed).toBe(true);
  });

  it('has both ends of every edge among its nodes', () => {
    const ids = graph.nodes.map(({ id }: Json) => id);
    expect(graph.edges.every(({ source, target }: Json) => ids.includes(source) && ids.includes(target))).toBe(true);
  });
});
