import { expect, it } from '@jest/globals';
import { runCommand } from '../kit/run.js';

it('npm run bench prints every row of its table, with a figure of the platform', async () => {
  const { code, stdout, stderr } = await runCommand(['bench', '--quick', '--large'], {});
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const rows = stdout.split('\n').filter((line) => line.startsWith('| '));
  const works = rows.slice(2).map((row) => row.split(' | ')[0]?.replace(/^\| /, '').split(',')[0]);
  expect([...new Set(works)]).toEqual([
    'warm start',
    'memory when idle',
    'CPU when idle',
    'PostgreSQL when idle',
    'gateway in process',
    'gateway over HTTP',
    'PUT of a chunk of 16 MiB',
    'finalize 16 MiB in chunks of 16777216 bytes',
    'finalize 16 MiB in chunks of 16777215 bytes',
    'BLAKE3 of 16 MiB',
    'memory of each of 40 sockets with a subscription',
    '2 changes to 40 subscribers on 40 sockets',
    'one change to 100 subscribers on 20 sockets',
    'REST',
    'rows to 50 configurations',
    'longest stall of the event loop by a change',
    'its CPU time',
    'files',
    'user who signs in',
    'peer that joins a network of 20',
    'peer that asks for its unchanged configuration',
    'policy',
    'file of one chunk',
    'chunk',
    'notification with its webhook',
    'machine',
    'minute of a machine',
  ]);
  expect(rows.filter((row) => row.split(' | ')[3] === '?')).toEqual([]);
  expect(stdout).toContain('`npm run bench -- --peers`');
}, 300_000);

it('npm run bench -- --sockets prints the figures of an event to sockets on several gateways', async () => {
  const { code, stdout, stderr } = await runCommand(['bench', '--quick', '--sockets', '50', '--gateways', '3'], {});
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const cells = stdout.split('\n').map((line) => line.split(' | ').slice(0, 3));
  const work = '| one event to 50 sockets, 3 gateways';
  for (const peer of ['raw ws', 'graphql-ws'])
    for (const unit of ['wall ms', 'CPU µs a message', 'KiB a socket'])
      expect(cells).toContainEqual([work, peer, unit]);
}, 120_000);
