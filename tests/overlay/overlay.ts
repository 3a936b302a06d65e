import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findLeftovers } from './interrupted.js';
import { run, runApart } from './processes.js';

const say = (line: string) => void process.stdout.write(`${line}\n`);

const missing = await whatIsMissing();
if (missing) say(`test:overlay is not run here: ${missing}`);
else process.exitCode = (await runParts(process.argv[2])) ? 0 : 1;

/** Without an argument both parts run; `untimed` runs both and refuses no change for the time it took. */
async function runParts(part: string | undefined): Promise<boolean> {
  // Apart from the terminal: a Ctrl-C must not end the programs with which things are undone.
  const options = part === 'untimed' ? [part] : [];
  const measure = [process.execPath, fileURLToPath(new URL('measure.js', import.meta.url)), ...options] as const;
  if (part !== 'interrupted' && (await runApart(measure)) !== 0) return false;
  if (part === 'measure') return true;
  const leftovers = await findLeftovers();
  for (const leftover of leftovers) say(`red: ${leftover}`);
  return leftovers.length === 0;
}

async function whatIsMissing(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it needs root';
  for (const [program, word] of [
    ['nebula', '-version'],
    ['nebula-cert', '-version'],
    ['ip', '-V'],
    ['nft', '--version'],
    ['curl', '--version'],
  ] as const) {
    const isThere = await run(program, word).then(
      () => true,
      () => false,
    );
    if (!isThere) return `there is no ${program}`;
  }
  const hasDevice = await access('/dev/net/tun').then(
    () => true,
    () => false,
  );
  return hasDevice ? undefined : 'there is no /dev/net/tun';
}
