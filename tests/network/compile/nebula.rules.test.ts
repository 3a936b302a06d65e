import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { PeerPlan } from '../../../subgraphs/network/compile/compiler/peer-plan.js';
import {
  nebulaConfiguration,
  NO_PLAN,
  type NebulaSettings,
} from '../../../subgraphs/network/compile/nebula/nebula.rules.js';
import { CAPTURED } from '../../kit/network/captured-certificates.js';

const SETTINGS: NebulaSettings = {
  plan: NO_PLAN,
  authorities: CAPTURED.authority,
  certificate: CAPTURED.host,
  keyFile: '/var/lib/archipelago/host.key',
  blocklist: [],
  lighthouses: [{ ip: '100.64.0.1', address: 'platform.example:4242' }],
  isLighthouse: false,
  listenPort: 0,
};
const ROUTER: PeerPlan = {
  inbound: [
    { protocol: 'any', ports: 'any', cidr: '100.64.0.12/32' },
    { protocol: 'tcp', ports: { from: 443, to: 443 }, cidr: '100.64.0.14/31' },
    { protocol: 'udp', ports: { from: 8000, to: 8100 }, cidr: '100.64.0.16/32' },
  ],
  routes: [{ cidr: '10.2.0.0/16', via: '100.64.0.13', metric: 100 }],
  filter: [
    { action: 'drop', protocol: 'tcp', ports: [{ from: 22, to: 22 }], sources: ['100.64.0.12/32'], destinations: [] },
    { action: 'accept', protocol: 'any', ports: [], sources: ['100.64.0.12/32'], destinations: [] },
  ],
  forwarding: {
    subnets: ['10.1.0.0/16'],
    forwards: [
      {
        action: 'accept',
        protocol: 'udp',
        ports: [{ from: 8000, to: 8100 }],
        sources: ['100.64.0.16/32'],
        destinations: ['10.1.0.0/24', '10.1.9.0/24'],
      },
      { action: 'accept', protocol: 'icmp', ports: [], sources: ['100.64.0.16/32'], destinations: ['10.1.0.0/24'] },
      { action: 'accept', protocol: 'other', ports: [], sources: ['100.64.0.16/32'], destinations: ['10.1.0.0/24'] },
    ],
    masquerades: ['10.1.0.0/24'],
  },
  lookup: undefined,
};

const configured = (changes: Partial<NebulaSettings> = {}) => nebulaConfiguration({ ...SETTINGS, ...changes });
const read = (changes: Partial<NebulaSettings> = {}) => parse(configured(changes)) as Record<string, unknown>;
const marked = (word: string, text: string) =>
  text.split('\n').flatMap((line) => (line.startsWith(`#${word} `) ? [line.slice(word.length + 2)] : []));

describe('a configuration', () => {
  it('is the same text for the same settings', () => {
    expect(configured({ plan: ROUTER })).toBe(configured({ plan: structuredClone(ROUTER) }));
  });

  it('lets nothing in where nothing is open', () => {
    expect(read()).toMatchObject({
      firewall: { inbound: [], outbound: [{ port: 'any', proto: 'any', host: 'any' }] },
      tun: { disabled: false, dev: 'nebula1', unsafe_routes: [] },
    });
  });

  it('lets the rules of a router apply to its subnets, also from version 1.10 of Nebula on', () => {
    expect(read({ plan: ROUTER })).toMatchObject({ firewall: { default_local_cidr_any: true } });
  });

  it('carries certificates as they are, and the path of the key only', () => {
    expect(read({ authorities: CAPTURED.authority + CAPTURED.wideAuthority })).toMatchObject({
      pki: {
        ca: CAPTURED.authority + CAPTURED.wideAuthority,
        cert: CAPTURED.host,
        key: '/var/lib/archipelago/host.key',
        disconnect_invalid: true,
        blocklist: [],
      },
    });
  });

  it('keeps fingerprints as texts that look like numbers', () => {
    expect(read({ blocklist: ['1e10', '0123'] })).toMatchObject({ pki: { blocklist: ['1e10', '0123'] } });
  });

  it('finds others by the lighthouses', () => {
    expect(read()).toMatchObject({
      static_host_map: { '100.64.0.1': ['platform.example:4242'] },
      lighthouse: { am_lighthouse: false, hosts: ['100.64.0.1'] },
      listen: { port: 0 },
    });
  });

  it('of a lighthouse asks no other and needs no device', () => {
    expect(read({ isLighthouse: true, listenPort: 4250, lighthouses: [] })).toMatchObject({
      static_host_map: {},
      lighthouse: { am_lighthouse: true, hosts: [] },
      listen: { port: 4250 },
      tun: { disabled: true },
    });
  });

  it('names what may come in by address, protocol and port', () => {
    expect(read({ plan: ROUTER })).toMatchObject({
      firewall: {
        inbound: [
          { port: 'any', proto: 'any', cidr: '100.64.0.12/32' },
          { port: '443', proto: 'tcp', cidr: '100.64.0.14/31' },
          { port: '8000-8100', proto: 'udp', cidr: '100.64.0.16/32' },
        ],
      },
      tun: { unsafe_routes: [{ route: '10.2.0.0/16', via: '100.64.0.13', metric: 100 }] },
    });
  });
});

describe('the need of a restart', () => {
  const mark = (changes: Partial<NebulaSettings>) => marked('restart', configured(changes));

  it('is none for other rules, certificates or revocations', () => {
    const plan = { ...NO_PLAN, inbound: ROUTER.inbound, filter: ROUTER.filter };
    expect(mark({ plan, blocklist: ['ab'], certificate: CAPTURED.gateway })).toEqual(mark({}));
  });

  it.each([[{ plan: { ...NO_PLAN, routes: ROUTER.routes } }], [{ listenPort: 4242 }]])('is there for %j', (changes) => {
    expect(mark(changes)).not.toEqual(mark({}));
  });
});

describe('names to resolve', () => {
  it('are lines of their own, after what no name may stand for', () => {
    const lookup = { names: ['db.test', 'web.test'], except: '100.64.8.0/21' };
    const text = configured({ plan: { ...NO_PLAN, lookup } });
    expect([marked('resolve', text), marked('resolve-except', text)]).toEqual([lookup.names, ['100.64.8.0/21']]);
    expect(marked('restart', text)).toEqual(marked('restart', configured()));
  });

  it('are none where no names lie behind a peer', () => {
    expect(configured()).not.toContain('#resolve');
  });
});

describe('the packet filter', () => {
  it('is none where Nebula’s rules are enough', () => {
    expect(marked('nft', configured())).toEqual([]);
  });

  it('replaces the table before', () => {
    expect(marked('nft', configured({ plan: ROUTER })).slice(0, 3)).toEqual([
      'table ip archipelago',
      'delete table ip archipelago',
      'table ip archipelago {',
    ]);
  });

  it('judges in the plan’s order what is not an answer, and drops the rest', () => {
    const lines = marked('nft', configured({ plan: ROUTER })).map((line) => line.trim());
    const start = lines.indexOf('chain through {');
    expect(lines.slice(start + 1, lines.indexOf('}', start))).toEqual([
      'ct direction reply accept',
      'ct state related accept',
      'ip saddr { 100.64.0.16/32 } ip daddr { 10.1.0.0/24, 10.1.9.0/24 } udp dport { 8000-8100 } accept',
      'ip saddr { 100.64.0.16/32 } ip daddr { 10.1.0.0/24 } meta l4proto icmp accept',
      'ip saddr { 100.64.0.16/32 } ip daddr { 10.1.0.0/24 } meta l4proto != { tcp, udp, icmp } accept',
      'drop',
    ]);
    const own = lines.indexOf('chain from_overlay {');
    expect(lines.slice(own + 3, lines.indexOf('}', own))).toEqual([
      'ip saddr { 100.64.0.12/32 } tcp dport { 22 } drop',
      'ip saddr { 100.64.0.12/32 } accept',
      'drop',
    ]);
  });

  it('judges what comes for the router’s own addresses in its subnets as what lies there', () => {
    const lines = marked('nft', configured({ plan: ROUTER })).map((line) => line.trim());
    const start = lines.indexOf('chain input {');
    expect(lines.slice(start + 2, lines.indexOf('}', start))).toEqual([
      'iifname "nebula1" ip daddr { 10.1.0.0/16 } jump through',
      'iifname "nebula1" jump from_overlay',
    ]);
  });

  it('masks only what the plan says', () => {
    const text = marked('nft', configured({ plan: ROUTER })).join('\n');
    expect(text.match(/masquerade/g)).toEqual(['masquerade']);
    expect(text).toContain('iifname "nebula1" ip daddr { 10.1.0.0/24 } masquerade');
    const plain = { ...ROUTER, forwarding: { subnets: [], forwards: [], masquerades: [] } };
    expect(marked('nft', configured({ plan: plain })).join('\n')).not.toContain('masquerade');
  });

  it('has no way through on a peer that is no router', () => {
    expect(marked('nft', configured({ plan: { ...ROUTER, forwarding: undefined } })).join('\n')).not.toContain(
      'forward',
    );
  });
});
