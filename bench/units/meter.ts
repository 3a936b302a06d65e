import { Client } from 'pg';
import type { Cleanup } from '../cleanup.js';
import type { Environment } from '../environment.js';
import { cpuMs } from '../processes.js';
import type { Row } from '../report.js';

/** What a number of units has cost. */
interface Cost {
  /** In PostgreSQL, with indexes, and the space of rows that were replaced. */
  readonly bytes: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
}

const NOTHING: Cost = { bytes: 0, nodeMs: 0, postgresMs: 0 };

/** Measures what a unit costs the platform and its PostgreSQL. */
export class Meter {
  private constructor(
    private readonly environment: Environment,
    private readonly client: Client,
  ) {}

  static async open(environment: Environment, cleanup: Cleanup): Promise<Meter> {
    const client = new Client({ connectionString: environment.databaseUrl });
    await client.connect();
    cleanup.add(() => client.end());
    return new Meter(environment, client);
  }

  /**
   * Does the work, which makes this many units. Returns a row of database bytes, and two of CPU time, for one unit.
   * @param idle what the same time costs without the units
   */
  async rows(unit: string, units: number, work: () => Promise<unknown>, idle = NOTHING): Promise<Row[]> {
    const cost = await this.cost(work);
    const row = (name: string, part: keyof Cost): Row => {
      return { work: unit, peer: '', unit: name, ours: (cost[part] - idle[part]) / units };
    };
    return [
      row('bytes in PostgreSQL', 'bytes'),
      row('CPU ms, Node', 'nodeMs'),
      row('CPU ms, PostgreSQL', 'postgresMs'),
    ];
  }

  /** Measures what the work costs. */
  async cost(work: () => Promise<unknown>): Promise<Cost> {
    const before = await this.state();
    await work();
    const after = await this.state();
    return {
      bytes: after.bytes - before.bytes,
      nodeMs: after.nodeMs - before.nodeMs,
      postgresMs: after.postgresMs - before.postgresMs,
    };
  }

  private async state(): Promise<Cost> {
    const { platform, postgresPid } = this.environment;
    const { rows } = await this.client.query<{ bytes: string }>(BYTES);
    return {
      bytes: Number(rows[0]?.bytes),
      nodeMs: cpuMs([platform.pid]) ?? Number.NaN,
      postgresMs: cpuMs([postgresPid]) ?? Number.NaN,
    };
  }
}

const BYTES = `
  SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind = 'r' AND n.nspname IN ('accounts', 'infrastructure', 'network', 'sync')`;
