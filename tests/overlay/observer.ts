import { LIMIT_MS, type Change, type Scene } from './changes.js';
import { differences, type Pair, type Probes } from './matrix.js';
import { allInForce, checkWithNebula, predict } from './network.js';
import { until } from './processes.js';

/** Milliseconds an attempt has while a change spreads, and when all is measured: a lost first packet is sent again after a second. */
const QUICK_MS = 300;
const PATIENT_MS = 1_800;
/** Milliseconds after which a change that is not in force has failed, also on a busy machine. */
const GIVE_UP_MS = 60_000;

/** One row of the table. */
export interface Result {
  readonly change: string;
  readonly pairs: number;
  readonly open: number;
  readonly different: readonly string[];
  readonly seconds: number;
  /** Milliseconds it was to take at most. */
  readonly limitMs: number;
}

/** Sees what a change does to packets. */
export class Observer {
  /** Certificates and configurations that were checked. */
  checked = 0;
  private open = new Set<Pair>();

  constructor(
    private readonly scene: Scene,
    private readonly probes: Probes,
    private readonly pairs: readonly Pair[],
  ) {}

  /** Makes a change and measures from its first request until packets and peers agree that it is in force. */
  async after({ name: change, make, limitMs }: Change): Promise<Result> {
    const { platform, members, nodes, addresses } = this.scene;
    const start = performance.now();
    const before = new Map(addresses);
    await make(this.scene);
    const predicted = await predict(platform, this.pairs, nodes);
    // What is at another address now is tried again, even if it is to stay as open as it was.
    const isMoved = ({ to }: Pair) => addresses.get(to) !== before.get(to);
    const moved = this.pairs.filter((pair) => isMoved(pair) || predicted.has(pair) !== this.open.has(pair));
    await until(`packets to do as predicted after: ${change}`, GIVE_UP_MS, async () => {
      const open = await this.probes.open(moved, addresses, QUICK_MS);
      return differences(moved, open, predicted).length === 0 ? true : undefined;
    }).catch(() => undefined);
    await allInForce(platform, [...members.values()]);
    const seconds = (performance.now() - start) / 1000;
    this.open = await this.probes.open(this.pairs, addresses, PATIENT_MS);
    this.checked += await checkWithNebula([...members.values()]);
    const different = differences(this.pairs, this.open, predicted);
    const { length: pairs } = this.pairs;
    return { change, pairs, open: predicted.size, different, seconds, limitMs: limitMs ?? LIMIT_MS };
  }
}
