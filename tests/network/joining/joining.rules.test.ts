import { afterAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import { knownHash, waitSecondsOf } from '../../../subgraphs/network/joining/configuration/configuration.rules.js';
import { lighthousesOf } from '../../../subgraphs/network/compile/nebula/lighthouse.rules.js';
import { fillScript, keyUse } from '../../../subgraphs/network/joining/join/join.rules.js';
import { platformConfig } from '../../kit/config.js';
import { peerStatus } from '../../../subgraphs/network/graph/peer/peer.rules.js';

const NOW = new Date('2026-01-31T12:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

describe('a setup key', () => {
  const [own, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const key = { usedAt: null, revokedAt: null, expiresAt: ago(-1), peer: 7, publicKey: null };
  const used = { ...key, usedAt: ago(9), publicKey: own };
  it.each([
    ['first', key, 'first'],
    ['used by the same machine', used, 'again'],
    ['used by another', { ...used, publicKey: other }, 'taken'],
    ['expired', { ...key, expiresAt: NOW }, 'refused'],
    ['revoked', { ...key, revokedAt: ago(1) }, 'refused'],
    ['of a peer that is gone', { ...key, peer: null }, 'refused'],
    ['used and expired', { ...used, expiresAt: NOW }, 'refused'],
    ['used and revoked', { ...used, revokedAt: ago(1) }, 'refused'],
  ])('%s', (_, presented, verdict) => {
    expect(keyUse(presented, own, NOW)).toBe(verdict);
  });
});

describe('a peer is shown', () => {
  const joined = { joinedAt: ago(500), lastSeen: ago(10), configHash: 'b', configChangedAt: ago(30), applied: 'a' };
  it.each([
    ['never_seen', 'until it joins', { ...joined, joinedAt: null }],
    ['applying', 'while it runs something else', joined],
    [
      'applying',
      'before there is anything for it',
      { ...joined, joinedAt: ago(5), configHash: null, configChangedAt: null },
    ],
    ['in_force', 'when it runs what it should', { ...joined, applied: 'b' }],
    ['in_force', 'however long ago that changed', { ...joined, applied: 'b', configChangedAt: ago(9_999) }],
    ['stale', 'when it was not heard of for 90 s', { ...joined, applied: 'b', lastSeen: ago(91) }],
    ['stale', 'when it has not applied a change for 60 s', { ...joined, configChangedAt: ago(61) }],
  ])('as %s %s', (status, _, state) => {
    expect(peerStatus(state, NOW)).toBe(status);
  });
});

describe('lighthouses', () => {
  it('have the first addresses of a range, and a port of its own on each host', () => {
    const tenant = { addressRange: '100.64.8.0/21', place: 1 };
    expect(lighthousesOf(tenant, ['a.example', 'b.example'], 4242)).toEqual([
      { ip: '100.64.8.1', address: 'a.example:4243' },
      { ip: '100.64.8.2', address: 'b.example:4243' },
    ]);
  });

  it.each([
    [{ LIGHTHOUSES: 'a.example:4242' }],
    [{ LIGHTHOUSES: 'a,b,c,d' }],
    [{ LIGHTHOUSE_PORT: '0' }],
    [{ LIGHTHOUSE_PORT: '65536' }],
    [{ LIGHTHOUSE_PORT: 'x' }],
    [{ LIGHTHOUSE_NUMBER: '0' }],
    [{ LIGHTHOUSES: 'a,b', LIGHTHOUSE_NUMBER: '3' }],
  ])('are refused for %j', (env) => {
    expect(() => platformConfig(env)).toThrow(/^LIGHTHOUSE/);
  });

  it('are none beside the platform where nothing is said', () => {
    expect(platformConfig({}).network).toMatchObject({ lighthouses: [], lighthousePort: 4242, lighthouseNumber: 1 });
  });
});

describe('an If-None-Match', () => {
  const hash = 'a1'.repeat(32);
  it.each([
    [`"${hash}"`, hash],
    [`W/"${hash}"`, hash],
    [`"x", "${hash}"`, hash],
    ['""', undefined],
    ['*', undefined],
    [`"a,b" ,, W/"x","${hash}", "${'b2'.repeat(32)}"`, hash],
    [hash, undefined],
    [`"${hash}-gzip"`, undefined],
    [`"gzip-${hash}"`, undefined],
    [`"${hash}`, undefined],
    [`"a", ${hash}`, undefined],
    [`"${hash}" junk`, undefined],
    [`"${hash}" "b"`, undefined],
    [`w/"${hash}"`, undefined],
    [`*, "${hash}"`, undefined],
    [undefined, undefined],
  ])('%s', (header, known) => {
    expect(knownHash(header)).toBe(known);
  });
});

describe('the join script', () => {
  const script = readFileSync(join(packageRoot(), 'subgraphs/network/joining/join/join.sh'), 'utf8');

  it('is one that a POSIX shell can read', () => {
    expect(execFileSync('sh', ['-n'], { input: fillScript(script, 'https://example.org') }).toString()).toBe('');
  });

  it('takes an address with whatever characters for a text', () => {
    const filled = fillScript(script, "http://x/'$(echo no)`echo no`$&");
    const line = /^PLATFORM=.*$/m.exec(filled)?.[0] ?? '';
    expect(execFileSync('sh', ['-c', `${line}; printf %s "$PLATFORM"`]).toString()).toBe(
      "http://x/'$(echo no)`echo no`$&",
    );
  });

  it.each(['arp_join_a b', 'arp_join_a"', 'arp_peer_x', '--help'])(
    'refuses the word %s before it does anything',
    (word) => {
      const run = () => execFileSync('sh', ['-s', '--', word], { input: script, stdio: 'pipe' });
      expect(run).toThrow(/setup key|usage/);
    },
  );
});

describe('an agent', () => {
  const script = readFileSync(join(packageRoot(), 'subgraphs/network/joining/join/join.sh'), 'utf8');
  const directory = mkdtempSync(join(tmpdir(), 'archipelago-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  /** What the script says of the process whose number the agent has stored. */
  function isRunning(pid: number | undefined): boolean {
    writeFileSync(join(directory, 'agent.pid'), String(pid));
    const input = script.replace(/main "\$@"\s*$/, 'is_running && echo yes');
    const { stdout } = spawnSync('sh', ['-s'], { input, env: { ...process.env, ARCHIPELAGO_DIR: directory } });
    return stdout.toString() === 'yes\n';
  }

  it('runs while its process does', () => {
    const agent = spawn('sh', ['-c', 'read line', 'join.sh', '--foreground'], { stdio: ['pipe', 'ignore', 'ignore'] });
    expect(isRunning(agent.pid)).toBe(true);
    agent.stdin.end();
  });

  it('does not run where another process has its number, as after a power cut', () => {
    expect(isRunning(process.pid)).toBe(false);
  });
});

describe('the wait of a machine for a change', () => {
  it.each([
    ['0', 0],
    ['19', 19],
    ['20', 20],
    ['21', 20],
    ['999999999', 20],
    [undefined, 0],
  ])('of %s is %i s', (asked, seconds) => {
    expect(waitSecondsOf(asked)).toBe(seconds);
  });

  it.each(['', '-1', '1.5', '1e9', 'soon', [['5', '6']]])('of %s is refused', (asked) => {
    expect(() => waitSecondsOf(asked)).toThrow('`wait` must be a whole number of seconds.');
  });
});
