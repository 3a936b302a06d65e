import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import { spawnPiped, toEnd, type ExitResult } from '../../kit/run.js';

/** Runs a script that has `lifecycle` and `pass(ms)`, which moves the timers of its process. */
async function run(script: string): Promise<ExitResult> {
  const lifecycle = JSON.stringify(join(packageRoot(), 'dist/gateway/composition/lifecycle.js'));
  const prelude = `
    import { mock } from 'node:test';
    import { setImmediate as turn } from 'node:timers/promises';
    mock.timers.enable({ apis: ['setTimeout'] });
    setInterval(() => undefined, 1_000);
    const lifecycle = await import(${lifecycle});
    const pass = async (ms) => { await turn(); await turn(); mock.timers.tick(ms); await turn(); };`;
  return toEnd(spawnPiped([process.execPath, '--input-type=module', '-e', prelude + script], {}));
}

/** Starts with this function as the stop, and sends SIGTERM. */
const stopping = (stop: string) => `
  await lifecycle.runUntilSignal(async () => ${stop});
  process.kill(process.pid, 'SIGTERM');
  await new Promise((resolve) => process.once('SIGTERM', resolve));`;

describe('a stop', () => {
  it('leaves the subgraphs 20 s after the 15 s of requests, then exits 1 and says so', async () => {
    const { code, stdout, stderr } = await run(`${stopping('() => new Promise(() => undefined)')}
      await pass(34_000);
      process.stdout.write('still stopping');
      await pass(2_000);`);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: 'still stopping',
      stderr: 'stopping: not done after 35 s\n',
    });
  });

  it('that fails exits 1 and says why', async () => {
    const { code, stderr } = await run(stopping(`() => Promise.reject(new Error('the disk is gone'))`));
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'stopping: Error: the disk is gone\n' });
  });

  it('of work that fails forces nothing later', async () => {
    const { stdout } = await run(`
      const failing = Promise.reject(new Error('no'));
      await lifecycle.withShutdownTimeout(failing, () => process.stdout.write('forced')).catch(() => undefined);
      await pass(60_000);
      process.exit(0);`);
    expect(stdout).toBe('');
  });
});

describe('a start that is interrupted and does not end', () => {
  it('exits 1', async () => {
    const { code } = await run(`
      process.once('SIGTERM', () => void pass(36_000));
      void lifecycle.runUntilSignal(() => new Promise(() => undefined));
      process.kill(process.pid, 'SIGTERM');`);
    expect(code).toBe(1);
  });
});
