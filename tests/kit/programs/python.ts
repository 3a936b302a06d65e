import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { packageRoot } from '../../../kernel/package-root.js';
import { platform, type Json } from '../platform.js';

export const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

/** Runs statements of Python with `client` and `given`, and returns what they assign to `result`. */
export async function python(statements: string, given: Json = {}, url = platform().url): Promise<Json> {
  const program = `
import json, sys
from archipelago import Archipelago, PlatformError
from archipelago.transport import Form
given = json.loads(sys.argv[2])
client = Archipelago(sys.argv[1], token=given.get("token"), attempts=3)
client.transport._wait = lambda seconds: waits.append(seconds)
waits = []
${statements}
print(json.dumps(result))`;
  const env = { ...process.env, PYTHONPATH: `${packageRoot()}/sdk/python`, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await promisify(execFile)('python3', ['-c', program, url, JSON.stringify(given)], { env });
  return JSON.parse(stdout);
}
