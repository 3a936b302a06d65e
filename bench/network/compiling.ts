import type { Database } from '../../kernel/database.js';
import { configurationOf, KEY_FILE } from '../../subgraphs/network/configuration/configuration.rules.js';
import { compile } from '../../subgraphs/network/enforcement/compile.rules.js';
import { loadGraph } from '../../subgraphs/network/enforcement/graph.actions.js';
import type { PeerPlan } from '../../subgraphs/network/enforcement/graph.js';
import { pemOf } from '../../kernel/host-key.js';
import { nebulaConfiguration } from '../../subgraphs/network/enforcement/nebula.rules.js';
import { median } from '../figures.js';

const ROUNDS = 3;

/** From the rows of a network to the text of every peer, and the same without compiling; medians of alternating rounds. */
export interface CompileFigures {
  readonly wholeMs: number;
  /** Reading the graph and writing configurations whose plans are there already. */
  readonly floorMs: number;
  /** The compiling alone. */
  readonly compileMs: number;
  /** Of all texts together. */
  readonly bytes: number;
  /** How many times as long as the floor. */
  readonly ratio: number;
}

/** @throws Error when two rounds do not give the same texts */
export async function measureCompile(database: Database, tenantId: number): Promise<CompileFigures> {
  const plans = compile(await loadGraph(database, tenantId));
  const bytes = write(plans);
  const times = { whole: [] as number[], floor: [] as number[], compile: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const startMs = performance.now();
    const graph = await loadGraph(database, tenantId);
    const compileStartMs = performance.now();
    const compiled = compile(graph);
    const compileMs = performance.now() - compileStartMs;
    const written = write(compiled);
    const wholeMs = performance.now() - startMs;
    const floorStartMs = performance.now();
    await loadGraph(database, tenantId);
    write(plans);
    const floorMs = performance.now() - floorStartMs;
    if (written !== bytes) throw new Error(`the same graph gave ${written} bytes after ${bytes}`);
    if (round === 0) continue;
    times.whole.push(wholeMs);
    times.floor.push(floorMs);
    times.compile.push(compileMs);
  }
  const [wholeMs, floorMs] = [median(times.whole), median(times.floor)];
  return { wholeMs, floorMs, compileMs: median(times.compile), bytes, ratio: wholeMs / floorMs };
}

/** As long as real ones. */
const AUTHORITY = pemOf('certificate', Buffer.alloc(180));
const CERTIFICATE = pemOf('certificate', Buffer.alloc(240));

/** @returns how long all texts are, with their hashes */
function write(plans: ReadonlyMap<number, PeerPlan>): number {
  let bytes = 0;
  for (const plan of plans.values()) {
    const text = nebulaConfiguration({
      plan,
      authorities: AUTHORITY,
      blocklist: [],
      certificate: CERTIFICATE,
      keyFile: KEY_FILE,
      lighthouses: [{ ip: '100.64.0.1', address: '127.0.0.1:4242' }],
      isLighthouse: false,
      listenPort: 0,
    });
    const configuration = configurationOf(text);
    bytes += configuration.text.length + configuration.hash.length;
  }
  return bytes;
}
