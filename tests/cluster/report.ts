import { loadavg } from 'node:os';
import type { Counts } from './client.js';
import type { Fault } from './faults.js';
import type { Load } from './load.js';
import type { Losses } from './losses.js';

/** The longest time after a repair until each kind of request succeeds, and until each watcher hears of a new change. */
const RECOVERY_LIMIT_MS = 5_000;

/** What was measured of one fault. */
interface Measured {
  readonly before: { readonly requests: number; readonly retried: number; readonly failures: number };
  readonly after: Counts;
  readonly longest: { readonly kind: string; readonly ms: number };
  /** Milliseconds after the repair until all watchers knew of changes made after it; undefined: they did not. */
  readonly eventMs: number | undefined;
}

/** A table in Markdown, and whether the bounds were kept. */
export class Report {
  static readonly HEAD: readonly string[] = [
    '',
    '| fault | requests | repeated | failed | longest pause | of | next event | load |',
    '| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |',
  ];
  private readonly slow: string[] = [];
  private failedInRollingRestart = 0;
  private kept = true;

  /** @param isBusy whether other work may slow the cluster, so that bounds in seconds are only shown */
  constructor(private readonly isBusy: boolean) {}

  /** Whether nothing was lost or late; after `end`. */
  get isKept(): boolean {
    return this.kept;
  }

  /** Adds a fault. Returns its line. */
  line({ name, lastsMs = 0 }: Fault, { before, after, longest, eventMs }: Measured): string {
    const failures = after.failed.length - before.failures;
    if (name.startsWith('rolling')) this.failedInRollingRestart += failures;
    if (longest.ms - lastsMs > RECOVERY_LIMIT_MS) this.slow.push(`${name}: ${Math.round(longest.ms - lastsMs)} ms`);
    const event = eventMs === undefined ? 'none' : `${Math.round(eventMs)} ms`;
    if (eventMs === undefined || eventMs > RECOVERY_LIMIT_MS) this.slow.push(`${name}: the next event: ${event}`);
    const cells = [
      name,
      after.requests - before.requests,
      after.retried - before.retried,
      failures,
      `${Math.round(longest.ms)} ms`,
      longest.kind.replace(/(?<=\/)5\w{40,}/, '…'),
      event,
      loadavg()[0]?.toFixed(1),
    ];
    return `| ${cells.join(' | ')} |`;
  }

  /** The sums, and one line for each fault that was found. */
  end(load: Load, { lost, twice, missed }: Losses, faults: string[]): string[] {
    const { counts } = load.client;
    const { failed } = counts;
    const late = [...missed, ...this.slow.map((line) => `slow: ${line}`)];
    const red = [...lost, ...twice, ...faults, ...(this.isBusy ? [] : late)];
    this.kept = red.length === 0 && failed.length === 0;
    return [
      '',
      '| count | bound | found |',
      '| --- | ---: | ---: |',
      `| requests lost after an answer | 0 | ${lost.length} |`,
      `| failures that a client does not repeat | 0 | ${failed.length} |`,
      `| … of these in the rolling restart | 0 | ${this.failedInRollingRestart} |`,
      `| changes that a watcher did not hear of within 5 s | 0 | ${missed.length} |`,
      `| effects done twice | 0 | ${twice.length} |`,
      `| recoveries of more than 5 s | 0 | ${this.slow.length} |`,
      `| ledger | proved | ${faults.length === 0 ? 'proved' : 'wrong'} |`,
      '',
      ...this.sums(load),
      ...[...counts.reasons].map(([reason, times]) => `repeated ${times} times: ${reason}`),
      ...red.map((line) => `red: ${line}`),
    ];
  }

  private sums({ client: { counts }, files, machines, signedIn, history, ...load }: Load): string[] {
    const { requests, retried } = counts;
    const whole = load.groupWatchers.flatMap(({ heard }) => [...heard.values()]).filter(({ by }) => by !== 'event');
    return [
      `${requests} requests (${Math.round(load.requestsPerMinute)} a minute), ${retried} attempts repeated, ${files.length} uploads,`,
      `${machines.made.length} machines, of whose reboots ${machines.made.filter((made) => made.isRebootClear).length} were sent once,`,
      `${signedIn.size} sign-ins, ${history.changes.length} changes that were watched, ${whole.length} of them heard in a whole graph`,
      ...[...load.groupWatchers, load.noticeWatcher].map(
        ({ place, kind, watcher }) =>
          `each ${kind}, at ${place}: ${watcher.events} events over ${watcher.connections} connections`,
      ),
    ];
  }
}
