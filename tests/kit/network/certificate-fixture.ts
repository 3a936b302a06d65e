import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSubgraphCalls, type CallSubgraph } from '../../../kernel/subgraph/call-subgraph.js';
import type { Runtime } from '../../../kernel/subgraph/context.js';
import { openDatabase, type Database } from '../../../kernel/database/database.js';
import { unavailable } from '../../../kernel/errors.js';
import type { Jobs } from '../../../kernel/jobs/jobs.js';
import { LocalSubgraph } from '../../../kernel/subgraph/local-subgraph.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { openSecretBox } from '../../../kernel/security/secret-box.js';
import { subgraphSchema } from '../../../kernel/subgraph/subgraph.js';
import { accounts } from '../../../subgraphs/accounts/subgraph.js';
import { addUser } from '../../../subgraphs/accounts/identity/user/user.actions.js';
import { JOBS } from '../../../subgraphs/infrastructure/jobs.js';
import type { InfrastructureContext } from '../../../subgraphs/infrastructure/services.js';
import { CompileScheduler } from '../../../subgraphs/network/compile/workers/compile-scheduler.js';
import { lastRangeFrom } from '../../../subgraphs/network/graph/tenant/tenant.rules.js';
import { Configurations } from '../../../subgraphs/network/joining/configuration/configurations.js';
import { NEBULA_ENGINE } from '../../../subgraphs/network/joining/setup-key/engine.js';
import type { NetworkContext, NetworkServices } from '../../../subgraphs/network/services.js';
import { network } from '../../../subgraphs/network/subgraph.js';
import { newDatabase } from '../database/own-database.js';

interface WaitingJob {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The result of a call to network: answered; never sent; or sent, but the response is lost. */
export type CallResult = 'answered' | 'unasked' | 'lost';

const SCHEMAS = ['accounts', 'infrastructure', 'network'] as const;

/** The areas of certificates and network on a new database. The test controls the clock and the job queue. */
export class CertificateFixture {
  nowMs = Date.parse('2027-01-01T00:00:00.000Z');
  fate: CallResult = 'answered';
  private readonly waiting: WaitingJob[] = [];
  private names = 0;

  private constructor(
    readonly databases: Readonly<Record<(typeof SCHEMAS)[number], Database>>,
    readonly context: InfrastructureContext,
    readonly issuer: NetworkContext,
    private readonly dataDir: string,
  ) {}

  static async open(): Promise<CertificateFixture> {
    const [url, dataDir] = [await newDatabase(), await mkdtemp(join(tmpdir(), 'archipelago-'))];
    const log = openLog('silent', 'tests');
    const opened: Database[] = await Promise.all(SCHEMAS.map((schema) => openDatabase({ url, schema, log })));
    const databases = Object.fromEntries(SCHEMAS.map((schema, i) => [schema, opened[i]])) as Record<
      (typeof SCHEMAS)[number],
      Database
    >;
    // A circular reference: contexts read the clock of the fixture, and the fixture runs jobs with contexts.
    const found: { fixture?: CertificateFixture } = {};
    const fixture = (): CertificateFixture => {
      if (!found.fixture) throw new Error('the fixture is not open yet');
      return found.fixture;
    };
    const secretBox = await openSecretBox({ dataDir, dataKeys: [] });
    const now = () => new Date(fixture().nowMs);
    const compiler = new CompileScheduler({ timeMs: 20_000, memoryMib: 128 });
    const configurations = new Configurations(compiler, ['127.0.0.1'], 4242);
    const services = { secretBox, compiler, configurations, engine: NEBULA_ENGINE, lastRange: lastRangeFrom(4242) };
    const common = { now, log, requestId: 'of-the-tests' };
    const networkParts = { ...common, database: databases.network, services: services as Partial<NetworkServices> };
    const sources = {
      accounts: new LocalSubgraph(
        subgraphSchema(accounts),
        runtimeOf({ ...common, jobs: IDLE, database: databases.accounts }),
      ),
      network: new LocalSubgraph(subgraphSchema(network), runtimeOf(networkParts)),
    };
    const callSubgraph = openSubgraphCalls('infrastructure', (name) => sources[name as keyof typeof sources]);
    const parts = {
      ...common,
      database: databases.infrastructure,
      services: { secretBox },
      jobs: queueOf(fixture),
      callSubgraph: fateful(fixture, callSubgraph),
    };
    found.fixture = new CertificateFixture(
      databases,
      parts as Partial<InfrastructureContext> as InfrastructureContext,
      networkParts as Partial<NetworkContext> as NetworkContext,
      dataDir,
    );
    return found.fixture;
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.databases).map((database) => database.close()));
    await this.issuer.services.compiler.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  /** Creates a user and returns the id. */
  async user(): Promise<number> {
    const username = `user ${++this.names}`;
    const userId = await this.databases.accounts.change((transaction) =>
      addUser(transaction, { username, ethereumAddress: null, roles: [] }, this.now),
    );
    if (userId === undefined) throw new Error('the name is taken');
    return userId;
  }

  enqueue(job: WaitingJob): void {
    this.waiting.push(job);
  }

  /** Runs a job as the queue does, then the jobs that it adds. */
  async run(name: string): Promise<void> {
    this.enqueue({ name, data: {} });
    for (let job = this.waiting.shift(); job; job = this.waiting.shift()) {
      const { name: wanted, data } = job;
      const definition = JOBS.find((each) => each.name === wanted);
      if (!definition) throw new Error(`there is no job ${wanted}`);
      await definition.work(data, this.context);
    }
  }

  /** Titles of the certificate notifications of the user, oldest first. */
  async notifications(userId: number): Promise<string[]> {
    const rows = await this.databases.accounts.rows<{ title: string }>(NOTIFICATIONS, [userId]);
    return rows.map(({ title }) => title);
  }
}

const NOTIFICATIONS = {
  name: 'certificate-notifications-of-the-tests',
  text: `SELECT title FROM accounts.notification WHERE user_id = $1 AND starts_with(key, 'certificate:') ORDER BY id`,
};

const IDLE: Jobs = { enqueue: () => Promise.resolve(), close: () => Promise.resolve() };

function runtimeOf(parts: Partial<Runtime>): Runtime {
  return parts as Runtime;
}

function queueOf(fixture: () => CertificateFixture): Jobs {
  return {
    enqueue(_transaction, name, data) {
      fixture().enqueue({ name, data });
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

function fateful(fixture: () => CertificateFixture, callSubgraph: CallSubgraph): CallSubgraph {
  return async (operation, variables, requestId) => {
    const { fate } = fixture();
    if (operation.subgraph !== 'network' || fate === 'answered') return callSubgraph(operation, variables, requestId);
    if (fate === 'lost') await callSubgraph(operation, variables, requestId);
    throw unavailable('The response was lost.');
  };
}
