import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { run } from '../overlay/processes.js';
import { sayExpected } from '../kit/expected-lines.js';

const isInstalled = (program: string) => run(program, '-v').then(Boolean, () => false);
const programs = ['haproxy', 'nats-server'] as const;
const missing = (await Promise.all(programs.map(isInstalled))).indexOf(false);

if (missing >= 0)
  it(`a cluster is not tried without ${programs[missing]}`, () => {
    sayExpected(`${programs[missing]} is not installed: the cluster is not tried`);
  });
else
  it('a cluster of all services loses nothing and does nothing twice while a process of each kind is killed', async () => {
    const child = spawn(process.execPath, [join(packageRoot(), 'dist/tests/cluster/cluster.js'), '--brief']);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, red: output.match(/^red: .*/gm) ?? [] }).toEqual({ code: 0, red: [] });
    expect(output).toContain('| requests lost after an answer | 0 | 0 |');
  }, 900_000);
