import { describe, expect, it } from '@jest/globals';
import { compile } from '../../../subgraphs/network/compile/compiler/compile.rules.js';
import type { GraphResource, NetworkGraph } from '../../../subgraphs/network/graph/network-graph/network-graph.js';
import { namesToResolve, resolveAddresses } from '../../../subgraphs/network/graph/region/resolved-address.rules.js';
import { regionsOf } from '../../../subgraphs/network/graph/region/region.rules.js';

const ADDRESS = '203.0.113.7';
const CLIENT = 1;
const [HONEST, LIAR] = [2, 3];

const name = (id: number, networkId: number, terms: Partial<GraphResource> = {}): GraphResource => ({
  id,
  networkId,
  groups: [id],
  cidrs: [],
  name: `n${id}.test`,
  ...terms,
});
const found = (peerId: number, address = ADDRESS, place = peerId) => ({ peerId, address, place });

/** The client may reach what is in group 20 and group 30; networks 1 and 2 have a router each. */
const graphWith = (...resources: GraphResource[]): NetworkGraph => ({
  addressRange: '100.64.0.0/21',
  peers: [CLIENT, HONEST, LIAR].map((id) => ({ id, label: `p${id}`, ip: `100.64.0.${10 + id}`, groups: [id] })),
  policies: [20, 30].map((group) => ({
    id: group,
    name: `p${group}`,
    sourceGroupId: CLIENT,
    destGroupId: group,
    protocol: 'tcp',
    ports: [`${group}`],
    bidirectional: false,
    action: 'accept',
    enabled: true,
  })),
  resources,
  routers: [
    { id: 5, networkId: 1, peerId: HONEST, masquerade: true, metric: 9999 },
    { id: 6, networkId: 2, peerId: LIAR, masquerade: true, metric: 1 },
  ],
});

/** Ports that a router passes on to the address. */
const passed = (graph: NetworkGraph, router: number): number[] =>
  (compile(graph).get(router)?.forwarding?.forwards ?? [])
    .filter(({ destinations }) => destinations.includes(`${ADDRESS}/32`))
    .flatMap(({ ports }) => ports.map(({ from }) => from));
const routes = (graph: NetworkGraph) =>
  compile(graph)
    .get(CLIENT)
    ?.routes.map(({ cidr, via }) => [cidr, via]);

describe('an address that a router found', () => {
  it('is routed through it, and open as the policies of the name say', () => {
    const graph = graphWith(name(20, 1, { found: [found(HONEST)] }));
    expect(routes(graph)).toEqual([[`${ADDRESS}/32`, '100.64.0.12']]);
    expect([passed(graph, HONEST), passed(graph, LIAR)]).toEqual([[20], []]);
  });

  it('is of no account where the peer is no router of the network of the name', () => {
    expect(regionsOf(graphWith(name(20, 1, { found: [found(LIAR)] })))).toEqual([]);
  });

  it('opens nothing through another router, and takes nothing from it', () => {
    const graph = graphWith(name(20, 1, { found: [found(HONEST)] }), name(30, 2, { found: [found(LIAR)] }));
    expect([passed(graph, HONEST), passed(graph, LIAR)]).toEqual([[20], []]);
    expect(routes(graph)).toEqual([[`${ADDRESS}/32`, '100.64.0.12']]);
  });

  it('belongs to who found it first', () => {
    const late = found(HONEST, ADDRESS, 9);
    const graph = graphWith(name(20, 1, { found: [late] }), name(30, 2, { found: [found(LIAR)] }));
    expect([passed(graph, HONEST), passed(graph, LIAR)]).toEqual([[], [30]]);
  });

  it('is of no account within what another router leads to', () => {
    const configured = { id: 20, networkId: 1, groups: [20], cidrs: ['203.0.113.0/24'] };
    const graph = graphWith(configured, name(30, 2, { found: [found(LIAR)] }));
    expect(routes(graph)).toEqual([['203.0.113.0/24', '100.64.0.12']]);
    expect(passed(graph, LIAR)).toEqual([]);
  });

  it('is of no account within what is configured and nobody leads to', () => {
    const configured = { id: 20, networkId: 3, groups: [20], cidrs: ['203.0.113.0/24'] };
    expect(routes(graphWith(configured, name(30, 2, { found: [found(LIAR)] })))).toEqual([]);
  });

  it('is open as both say within what the same router leads to', () => {
    const configured = { id: 20, networkId: 1, groups: [20], cidrs: ['203.0.113.0/24'] };
    const graph = graphWith(configured, name(30, 1, { found: [found(HONEST)] }));
    expect(passed(graph, HONEST)).toEqual([20, 30]);
  });

  it('is of no account in the overlay', () => {
    expect(regionsOf(graphWith(name(20, 1, { found: [found(HONEST, '100.64.0.11')] })))).toEqual([]);
  });

  it('is led to by those of several routers that found the same names there', () => {
    const graph = graphWith(
      name(20, 1, { found: [found(HONEST), found(LIAR)] }),
      name(30, 1, { found: [found(LIAR)] }),
    );
    const both = { ...graph, routers: graph.routers.map((router) => ({ ...router, networkId: 1 })) };
    expect(resolveAddresses(both, () => undefined)).toMatchObject([
      { routers: [{ peerId: LIAR }], resources: [{ id: 20 }, { id: 30 }] },
    ]);
    expect([passed(both, HONEST), passed(both, LIAR)]).toEqual([[], [20, 30]]);
  });
});

describe('what a router is asked to resolve', () => {
  it('are the names of its networks, each once', () => {
    const plans = compile(graphWith(name(21, 1, { name: 'a.test' }), name(20, 1, { name: 'a.test' }), name(30, 2)));
    expect(plans.get(HONEST)?.lookup).toEqual({ names: ['a.test'], except: '100.64.0.0/21' });
    expect(plans.get(LIAR)?.lookup?.names).toEqual(['n30.test']);
    expect(plans.get(CLIENT)?.lookup).toBeUndefined();
  });

  it('are 64 at most', () => {
    const names = Array.from({ length: 70 }, (_, i) => `n${i}.test`);
    expect(namesToResolve(names)).toEqual(names.slice(0, 64));
  });
});
