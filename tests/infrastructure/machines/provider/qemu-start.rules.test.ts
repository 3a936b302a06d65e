import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../../kernel/package-root.js';
import { QEMU } from '../../../../subgraphs/infrastructure/machines/provider/qemu/host-process.js';

const MODULE = join(packageRoot(), 'dist/subgraphs/infrastructure/machines/provider/qemu/host-process.js');

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'archipelago-'));
  await writeFile(join(directory, QEMU), '#!/bin/sh\necho no such machine >&2\nexit 3\n', { mode: 0o700 });
});
afterAll(() => rm(directory, { recursive: true }));

it('a QEMU that ends at its start is reported with its log, and nothing waits for its socket any more', async () => {
  const program = `const { startQemu } = await import(${JSON.stringify(MODULE)});
    await startQemu([], ${JSON.stringify(directory)}).catch((error) => console.log(error.message));`;
  const env = { ...process.env, PATH: `${directory}${delimiter}${process.env.PATH}` };
  // A timer of the wait would keep the process alive for a minute.
  const options = { env, timeout: 30_000, killSignal: 'SIGKILL' } as const;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options);
  expect(stdout).toBe('Error: QEMU ended with 3: no such machine\n\n');
});
