import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { packageRoot } from '../../kernel/package-root.js';

it('bundling the dashboard leaves NODE_ENV as it was: the same process starts the platform, which chooses its payments by it', async () => {
  const { NODE_ENV: _, ...env } = process.env;
  const script = `const { bundle } = await import('./scripts/dashboard.js');
    const files = await bundle();
    console.log(JSON.stringify([files.has('index.html'), 'NODE_ENV' in process.env]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: packageRoot(),
    env,
  });
  expect(JSON.parse(stdout)).toEqual([true, false]);
});
