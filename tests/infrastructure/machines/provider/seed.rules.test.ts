import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinParts, seedOf, userData } from '../../../../subgraphs/infrastructure/machines/provider/seed/seed.rules.js';
import { volumeOf } from '../../../../subgraphs/infrastructure/machines/provider/seed/volume.rules.js';
import { SSH_KEY } from '../../../kit/machines/machine.js';
import { specOf } from '../../../kit/machines/provider-fixture.js';

const SECTOR = 2048;

/** The files of a volume by their Joliet names, read as the standard says. */
function filesOf(volume: Buffer): Map<string, string> {
  const descriptor = volume.subarray(17 * SECTOR);
  const root = descriptor.readUInt32LE(156 + 2) * SECTOR;
  const files = new Map<string, string>();
  for (let at = root; (volume[at] ?? 0) > 0; at += volume[at] ?? 0) {
    const record = volume.subarray(at, at + (volume[at] ?? 0));
    const [start, length] = [record.readUInt32LE(2) * SECTOR, record.readUInt32LE(10)];
    expect([record.readUInt32BE(6) * SECTOR, record.readUInt32BE(14)]).toEqual([start, length]);
    const name = Buffer.from(record.subarray(33, 33 + (record[32] ?? 0)));
    if (name.length > 1) files.set(name.swap16().toString('utf16le'), volume.toString('utf8', start, start + length));
  }
  return files;
}

const MAC = '52:54:00:ab:cd:ef';
const spec = specOf({ image: 'debian-13' }, { hostName: 'web-1' });

describe('the volume of a seed', () => {
  const long = 'ü'.repeat(5_000);
  const volume = volumeOf('cidata', [
    { name: 'user-data', content: long },
    { name: 'meta-data', content: '' },
  ]);

  it('is one of ISO 9660 with the label that cloud-init looks for', () => {
    expect(volume.toString('latin1', 16 * SECTOR + 1, 16 * SECTOR + 6)).toBe('CD001');
    expect(volume.toString('latin1', 16 * SECTOR + 40, 16 * SECTOR + 72).trim()).toBe('cidata');
    expect(volume.readUInt32LE(16 * SECTOR + 80) * SECTOR).toBe(volume.length);
  });

  it('gives back its files under their names', () => {
    expect([...filesOf(volume)]).toEqual([
      ['meta-data;1', ''],
      ['user-data;1', long],
    ]);
  });

  it('is the same for the same files', () => {
    const again = volumeOf('cidata', [
      { name: 'meta-data', content: '' },
      { name: 'user-data', content: long },
    ]);
    expect(again.equals(volume)).toBe(true);
  });
});

describe('a seed', () => {
  it('names the machine, and gives its owner a user with the key and no password', () => {
    const files = new Map(seedOf(spec, MAC).map(({ name, content }) => [name, content]));
    expect([...files.keys()].toSorted()).toEqual(['meta-data', 'network-config', 'user-data']);
    expect(JSON.parse(files.get('meta-data') ?? '')).toEqual({ 'instance-id': spec.uuid, 'local-hostname': 'web-1' });
    const [first, ...rest] = (files.get('user-data') ?? '').split('\n');
    const config = JSON.parse(rest.join('\n')) as { users: unknown[] };
    expect([first, config.users]).toEqual([
      '#cloud-config',
      [expect.objectContaining({ name: 'cloud', lock_passwd: true, ssh_authorized_keys: [SSH_KEY] })],
    ]);
  });

  it('finds the card by its hardware address, as not every system finds it by a pattern of names', () => {
    const configOf = (mac?: string) => seedOf(spec, mac).find(({ name }) => name === 'network-config')?.content;
    const first = { match: { macaddress: MAC }, dhcp4: true, dhcp6: false };
    expect(JSON.parse(configOf(MAC) ?? '')).toEqual({ version: 2, ethernets: { first } });
    expect(configOf()).toBeUndefined();
  });

  it('holds each further part whole, as what it is', () => {
    const parts = [
      '#!/bin/sh\necho --archipelago-part--\n',
      '#cloud-config\npackages: [nginx]\n',
      '## template: jinja\nx',
    ];
    const text = userData({ ...spec, parts });
    const bodies = text
      .split('--archipelago-part\n')
      .slice(1)
      .map((part) => {
        const [head = '', body = ''] = part.split('\n\n');
        return [
          /Content-Type: ([^;]+)/.exec(head)?.[1],
          Buffer.from(body.replace(/--archipelago.*/s, ''), 'base64').toString(),
        ];
      });
    expect(bodies.slice(1)).toEqual([
      ['text/x-shellscript', parts[0]],
      ['text/cloud-config', parts[1]],
      ['text/jinja2', parts[2]],
    ]);
  });

  it('joins a network by the line that the enrollment answers, once its tools are there', () => {
    const [tools, script] = joinParts('curl -fsSL https://p/network/join.sh | sh -s -- arp_join_x');
    expect(tools).toContain('"nebula"');
    expect(script).toContain("'curl -fsSL https://p/network/join.sh | sh -s -- arp_join_x'");
  });

  it('tries again to join where the platform does not answer just then', () => {
    const directory = mkdtempSync(join(tmpdir(), 'archipelago-seed-'));
    try {
      // What comes by the line is there after two pauses.
      const sleep = `#!/bin/sh\necho "$1" >>pauses\n[ "$1" = 5 ] || echo 'echo "joined as $1"' >platform\n`;
      writeFileSync(join(directory, 'sleep'), sleep, { mode: 0o755 });
      const [, script = ''] = joinParts("cat 'platform' | sh -s -- a-key");
      const env = { PATH: `${directory}:${process.env.PATH}` };
      const run = () => spawnSync('sh', ['-c', script], { cwd: directory, env, encoding: 'utf8' });
      const { status, stdout } = run();
      expect([status, stdout, readFileSync(join(directory, 'pauses'), 'utf8')]).toEqual([
        0,
        'joined as a-key\n',
        '5\n10\n',
      ]);
      writeFileSync(join(directory, 'platform'), 'exit 1');
      writeFileSync(join(directory, 'sleep'), '#!/bin/sh\n', { mode: 0o755 });
      expect(run().status).toBe(1);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
