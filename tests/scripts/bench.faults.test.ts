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
  ]);
  expect(rows.filter((row) => row.split(' | ')[3] === '?')).toEqual([]);
}, 300_000);
