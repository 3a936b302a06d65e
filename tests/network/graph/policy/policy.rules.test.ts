import { describe, expect, it } from '@jest/globals';
import {
  applyPolicyInput,
  DEFAULT_TERMS,
  type PolicySpec,
} from '../../../../subgraphs/network/graph/policy/policy.rules.js';
import { checkName } from '../../../../subgraphs/network/name.rules.js';

const TCP: PolicySpec = { ...DEFAULT_TERMS, protocol: 'tcp', ports: ['22', '8000-8100'] };

describe('the terms of a policy', () => {
  it('are the defaults where nothing is wished', () => {
    expect(applyPolicyInput(DEFAULT_TERMS, {})).toEqual(DEFAULT_TERMS);
  });

  it('stay where nothing is wished', () => {
    expect(applyPolicyInput(TCP, {})).toEqual(TCP);
  });

  it('stay where null is wished', () => {
    const nothing = { protocol: null, ports: null, bidirectional: null, action: null, enabled: null };
    expect(applyPolicyInput(TCP, nothing)).toEqual(TCP);
  });

  it.each([
    ['protocol', 'udp'],
    ['ports', ['443']],
    ['bidirectional', false],
    ['action', 'drop'],
    ['enabled', false],
  ])('change in `%s` alone', (field, value) => {
    expect(applyPolicyInput(TCP, { [field]: value })).toEqual({ ...TCP, [field]: value });
  });

  it.each([{ protocol: 'all' }, { protocol: 'all', ports: ['80'] }] as const)('have no ports after %j', (input) => {
    expect(applyPolicyInput(TCP, input).ports).toEqual([]);
  });

  it('ignore even malformed ports when the protocol is all', () => {
    expect(applyPolicyInput(DEFAULT_TERMS, { ports: ['nonsense'] }).ports).toEqual([]);
  });

  it('drop the ports when the protocol becomes icmp', () => {
    expect(applyPolicyInput(TCP, { protocol: 'icmp' }).ports).toEqual([]);
  });

  it('leave the terms before untouched', () => {
    applyPolicyInput(TCP, { ports: ['1'], enabled: false });
    expect(TCP.ports).toEqual(['22', '8000-8100']);
  });
});

const portsOf = (...ports: string[]) => applyPolicyInput(TCP, { ports }).ports;

describe('ports', () => {
  it.each([
    ['1', '1'],
    ['65535', '65535'],
    ['1-65535', '1-65535'],
    ['80-80', '80'],
    ['0080', '80'],
    [' 443 ', '443'],
  ])('%j are kept as %s', (text, kept) => {
    expect(portsOf(text)).toEqual([kept]);
  });

  it.each([
    '',
    '0',
    '65536',
    '99999',
    '100000',
    '-1',
    '1-',
    '-',
    '1-2-3',
    '90-80',
    '0-80',
    '80-65536',
    '8 0',
    '0x50',
    '1e3',
    '８０',
    '80\n90',
    '80,90',
    '+80',
  ])('%j are refused as BAD_REQUEST', (text) => {
    expect(() => portsOf(text)).toThrow(expect.objectContaining({ extensions: { code: 'BAD_REQUEST' } }));
  });

  it('of the whole range are kept as they are', () => {
    for (let port = 1; port <= 65_535; port += 97) {
      expect(portsOf(`${port}`, `${port}-65535`)).toEqual([`${port}`, `${port}-65535`]);
    }
  });
});

describe('the list of ports', () => {
  it('may be a hundred', () => {
    expect(portsOf(...Array.from({ length: 100 }, (_, i) => `${i + 1}`))).toHaveLength(100);
  });

  it('may not be more', () => {
    expect(() => portsOf(...Array.from({ length: 101 }, (_, i) => `${i + 1}`))).toThrow();
  });

  it('have no meaning for icmp', () => {
    expect(() => applyPolicyInput(DEFAULT_TERMS, { protocol: 'icmp', ports: ['80'] })).toThrow();
  });
});

describe('the name of a policy', () => {
  it.each([
    ['web-to-db', 'web-to-db'],
    ['  padded  ', 'padded'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['Über 数', 'Über 数'],
  ])('%j is kept as %j', (name, kept) => {
    expect(checkName(name)).toBe(kept);
  });

  it.each(['', '   ', 'x'.repeat(129), 'a\0b', '\ud800'])('%j is refused', (name) => {
    expect(() => checkName(name)).toThrow(expect.objectContaining({ extensions: { code: 'BAD_REQUEST' } }));
  });
});
