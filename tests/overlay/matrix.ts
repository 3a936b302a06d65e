import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Machine } from './namespaces.js';
import { startProcess, until, type Undoing } from './processes.js';

/** A connection that somebody may or may not make. */
export interface Pair {
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/** Tries connections from within machines. */
export interface Probes {
  /** Which of the pairs are open, all tried at once. @param addresses of the machines by name */
  open(pairs: readonly Pair[], addresses: ReadonlyMap<string, string>, limitMs: number): Promise<Set<Pair>>;
}

type Try = (attempt: { host: string; port: number; limitMs: number }) => Promise<boolean>;

/** Starts a probe in each machine, which also listens on the ports. */
export async function startProbes(
  undoing: Undoing,
  machines: readonly Machine[],
  ports: readonly number[],
): Promise<Probes> {
  const tries = new Map<string, Try>();
  for (const machine of machines) tries.set(machine.name, await startProbe(undoing, machine, ports));
  const isOpen = async ({ from, port }: Pair, host: string | undefined, limitMs: number) => {
    const attempt = tries.get(from);
    if (!attempt || host === undefined) throw new Error(`${from} has no probe, or what it tries no address`);
    return attempt({ host, port, limitMs });
  };
  return {
    async open(pairs, addresses, limitMs) {
      undoing.signal.throwIfAborted();
      const results = await Promise.all(pairs.map((pair) => isOpen(pair, addresses.get(pair.to), limitMs)));
      return new Set(pairs.filter((_, place) => results[place]));
    },
  };
}

async function startProbe(undoing: Undoing, { namespace }: Machine, ports: readonly number[]): Promise<Try> {
  const script = fileURLToPath(new URL('probe.js', import.meta.url));
  const words = ['netns', 'exec', namespace, process.execPath, script, ...ports.map(String)];
  const { child, output } = startProcess(undoing, ['ip', ...words], {});
  const waiting = new Map<number, (isOpen: boolean) => void>();
  if (!child.stdout || !child.stdin) throw new Error('a probe has no pipes');
  const { stdin } = child;
  let listening = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as { listens?: number; id?: number; isOpen?: boolean };
    if (said.listens !== undefined) listening += 1;
    else if (said.id !== undefined) waiting.get(said.id)?.(said.isOpen === true);
  });
  await until(`a probe in ${namespace}: ${output()}`, 20_000, async () => {
    undoing.signal.throwIfAborted();
    return listening === ports.length ? true : undefined;
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`the probe in ${namespace} has ended`)));
  ended.catch(() => undefined);
  stdin.on('error', () => undefined);
  let lastId = 0;
  return (attempt) => {
    lastId += 1;
    const id = lastId;
    const answer = new Promise<boolean>((resolve) => waiting.set(id, resolve));
    stdin.write(`${JSON.stringify({ id, ...attempt })}\n`);
    return Promise.race([answer, ended]).finally(() => waiting.delete(id));
  };
}

/** What differs between what was measured and what was predicted, in words; none: they are equal. */
export function differences(
  pairs: readonly Pair[],
  measured: ReadonlySet<Pair>,
  predicted: ReadonlySet<Pair>,
): string[] {
  return pairs
    .filter((pair) => measured.has(pair) !== predicted.has(pair))
    .map((pair) => `${pair.from}→${pair.to}:${pair.port} is ${measured.has(pair) ? 'open' : 'closed'}`);
}
