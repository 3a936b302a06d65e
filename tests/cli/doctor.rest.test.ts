import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../kit/arrangements.js';
import { openCommandLine, type CommandLine } from '../kit/command-line.js';

let line: CommandLine;
beforeAll(async () => {
  line = await openCommandLine();
});
afterAll(() => line.close());

describe('doctor', () => {
  it('examines the computer and the platform', async () => {
    const checks = await line.json('doctor');
    expect(checks.map(({ check }: { check: string }) => check)).toEqual([
      'node',
      'platform',
      'clock',
      'port',
      'machines',
      'payments',
      'data directory',
      'database',
      'nebula',
      'qemu',
    ]);
    const simulated = checks.filter(({ check }: { check: string }) => ['machines', 'payments'].includes(check));
    expect(simulated).toEqual([
      { check: 'machines', state: 'warning', detail: 'simulated: no host runs them' },
      { check: 'payments', state: 'warning', detail: 'simulated: test money' },
    ]);
    const away = await line.run('--url', `http://127.0.0.1:${await freePort()}`, 'doctor');
    expect([away.code, away.stdout]).toEqual([1, expect.stringMatching(/platform\s+failed/)]);
  });

  it.each([
    ['the database whose address is in a file', 'database-url', /database\s+failed\s+connect ECONNREFUSED/],
    ['a file of the address that is not there', 'nothing', /database\s+failed\s+ENOENT/],
  ])('examines %s', async (_, name, sentence) => {
    await writeFile(join(line.folder, 'database-url'), `postgres://127.0.0.1:${await freePort()}/archipelago\n`);
    const own = await openCommandLine({ DATABASE_URL_FILE: join(line.folder, name) });
    const { code, stdout } = await own.run('doctor');
    await own.close();
    expect([code, stdout]).toEqual([1, expect.stringMatching(sentence)]);
  });
});
