import 'reflect-metadata';
import { openSubgraphCalls, type CallSubgraph } from '../../../kernel/subgraph/call-subgraph.js';
import type { Runtime } from '../../../kernel/subgraph/context.js';
import { openDatabase, type Database } from '../../../kernel/database/database.js';
import { unavailable } from '../../../kernel/errors.js';
import type { Jobs } from '../../../kernel/jobs/jobs.js';
import { LocalSubgraph } from '../../../kernel/subgraph/local-subgraph.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import type { SubgraphClient } from '../../../kernel/subgraph/subgraph-client.js';
import { subgraphSchema } from '../../../kernel/subgraph/subgraph.js';
import { postTransfer } from '../../../subgraphs/accounts/ledger/transfer/transfer.actions.js';
import { accounts } from '../../../subgraphs/accounts/subgraph.js';
import { addUser } from '../../../subgraphs/accounts/identity/user/user.actions.js';
import { readBilling } from '../../../subgraphs/infrastructure/machines/billing/billing.actions.js';
import type { VmBilling } from '../../../subgraphs/infrastructure/machines/billing/billing.js';
import { saveFlavor } from '../../../subgraphs/infrastructure/machines/flavor/flavor.actions.js';
import { commandInstance } from '../../../subgraphs/infrastructure/machines/command/command.actions.js';
import { readInstance } from '../../../subgraphs/infrastructure/machines/instance/instance.actions.js';
import type { VmInstance } from '../../../subgraphs/infrastructure/machines/instance/instance.js';
import type { Command } from '../../../subgraphs/infrastructure/machines/instance/instance.rules.js';
import { spawnInstance } from '../../../subgraphs/infrastructure/machines/command/spawn.actions.js';
import { JOBS } from '../../../subgraphs/infrastructure/jobs.js';
import type { ProviderDependencies, VmProvider } from '../../../subgraphs/infrastructure/machines/provider/provider.js';
import { SimulatedProvider } from '../../../subgraphs/infrastructure/machines/provider/simulated.js';
import type { InfrastructureContext } from '../../../subgraphs/infrastructure/services.js';
import { transferOf } from '../accounts/ledger.js';
import { SSH_KEY } from './machine.js';
import { newDatabase } from '../database/own-database.js';

interface WaitingJob {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

/** A user of the fixture. */
export interface Tenant {
  readonly userId: number;
}

/** Machines and ledger on a new database. The test controls the clock and the job queue. */
export class MachineFixture {
  readonly start = new Date('2027-01-01T00:00:00.000Z');
  /** The current time; change it with `advance`. */
  nowMs = this.start.getTime();
  /** Loses the response to every n-th call to accounts; 0: never. */
  loseEveryNthResponse = 0;
  /** The network subgraph is unavailable. */
  isNetworkDown = false;
  /** Names of the calls to the network subgraph, in the order of their effects. */
  readonly networkCalls: string[] = [];
  /** Machines that have joined their owner's network. */
  readonly addresses: { readonly userId: number; readonly uuid: string; readonly ip: string }[] = [];
  /** Runs before a machine is enrolled. */
  beforeEnroll: () => Promise<void> = () => Promise.resolve();
  /** Called after each job. */
  afterJob: () => Promise<void> = () => Promise.resolve();
  private readonly waiting: WaitingJob[] = [];
  private callCount = 0;
  private names = 0;

  private constructor(
    readonly ledger: Database,
    readonly context: InfrastructureContext,
  ) {}

  static async open(provider?: VmProvider): Promise<MachineFixture> {
    const url = await newDatabase();
    const log = openLog('silent', 'tests');
    const [ledger, database]: Database[] = await Promise.all(
      ['accounts', 'infrastructure'].map((schema) => openDatabase({ url, schema, log })),
    );
    if (!ledger || !database) throw new Error('unreachable');
    // A circular reference: the context reads the clock of the fixture, and the fixture runs jobs with the context.
    const found: { fixture?: MachineFixture } = {};
    const fixture = (): MachineFixture => {
      if (!found.fixture) throw new Error('the fixture is not open yet');
      return found.fixture;
    };
    const now = () => new Date(fixture().nowMs);
    const ledgerRuntime = { database: ledger, jobs: IDLE, now, log } as Partial<Runtime> as Runtime;
    const source = new LocalSubgraph(subgraphSchema(accounts), ledgerRuntime);
    const callSubgraph = openSubgraphCalls('infrastructure', (name) =>
      name === 'network' ? networkOf(fixture) : source,
    );
    const machines = (dependencies: ProviderDependencies) => provider ?? new SimulatedProvider(dependencies);
    const services = { machines, registry: undefined };
    const parts = {
      database,
      jobs: queueOf(fixture),
      callSubgraph: lossy(fixture, callSubgraph),
      now,
      log,
      services,
      requestId: 'of-the-tests',
    };
    found.fixture = new MachineFixture(ledger, parts as Partial<InfrastructureContext> as InfrastructureContext);
    return found.fixture;
  }

  async close(): Promise<void> {
    await Promise.all([this.ledger.close(), this.context.database.close()]);
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  enqueue(job: WaitingJob): void {
    this.waiting.push(job);
  }

  /** Drops the waiting jobs, as if no worker ran. */
  dropJobs(): void {
    this.waiting.length = 0;
  }

  /** Whether this response of accounts is lost. */
  losesResponse(): boolean {
    this.callCount += 1;
    return this.loseEveryNthResponse > 0 && this.callCount % this.loseEveryNthResponse === 0;
  }

  /** Advances the clock and runs the due jobs. A failed job runs again a second later. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const [next] = this.waiting.toSorted((a, b) => a.atMs - b.atMs);
      if (!next || next.atMs > untilMs) break;
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      await this.run(next.name, next.data).catch(() => this.enqueue({ ...next, atMs: this.nowMs + 1_000 }));
      await this.afterJob();
    }
    this.nowMs = untilMs;
  }

  /** Runs a job as the queue does. */
  async run(name: string, data: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const job = JOBS.find((definition) => definition.name === name);
    if (!job) throw new Error(`there is no job ${name}`);
    await job.work(data, this.context);
  }

  async tenant(credits: string): Promise<Tenant> {
    const username = `user ${++this.names}`;
    const userId = await this.ledger.change((transaction) =>
      addUser(transaction, { username, ethereumAddress: null, roles: [] }, this.now),
    );
    if (userId === undefined) throw new Error('the name is taken');
    await this.grant({ userId }, credits);
    return { userId };
  }

  async grant({ userId }: Tenant, credits: string): Promise<void> {
    await this.ledger.change((transaction) => postTransfer(transaction, transferOf(userId, credits), this.now));
  }

  /** Creates a machine with these hourly prices: running and stopped. */
  async spawn(
    { userId }: Tenant,
    creditsPerHour: string,
    stoppedCreditsPerHour = '0',
    joins: { readonly joinsNetwork?: true } = {},
  ): Promise<VmInstance> {
    const name = `flavor-${++this.names}`;
    const flavor = {
      name,
      displayName: name,
      cpuCores: 1,
      memoryMb: 512,
      dataDiskGb: 5,
      creditsPerHour,
      stoppedCreditsPerHour,
      description: null,
    };
    const { id: flavorId } = await saveFlavor(this.context.database, flavor);
    const rest = { imageId: 1, applicationId: null, sshPublicKey: SSH_KEY, name: null, idempotencyKey: null };
    return spawnInstance(this.context, userId, { flavorId, ...rest, ...joins });
  }

  command({ userId }: Tenant, { id }: VmInstance, command: Command): Promise<VmInstance> {
    return commandInstance(this.context, { userId, id: String(id), command });
  }

  machine({ userId }: Tenant, { id }: VmInstance): Promise<VmInstance> {
    return readInstance(this.context.database, userId, id);
  }

  async billing(tenant: Tenant, machine: VmInstance): Promise<VmBilling> {
    return readBilling(this.context, await this.machine(tenant, machine));
  }

  /** Returns balance and held credits, as text. */
  async credits({ userId }: Tenant): Promise<{ readonly balance: string; readonly held: string }> {
    const [found] = await this.ledger.rows<{ balance: string; held: string }>(CREDITS, [userId]);
    if (!found) throw new Error('there is no such user');
    return found;
  }

  /** Kinds and titles of the machine notifications of the user, oldest first. */
  notifications({ userId }: Tenant): Promise<{ readonly kind: string; readonly title: string }[]> {
    return this.ledger.rows(NOTIFICATIONS, [userId]);
  }
}

const CREDITS = {
  name: 'credits-of-the-tests',
  text: `SELECT trim_scale(balance)::text AS balance, trim_scale(held)::text AS held FROM accounts.ledger_account WHERE user_id = $1`,
};
const NOTIFICATIONS = {
  name: 'notifications-of-the-tests',
  text: `SELECT kind, title FROM accounts.notification WHERE user_id = $1 AND starts_with(key, 'vm:') ORDER BY id`,
};

/** A network subgraph in which every user has a network and no machine gets a join command. */
function networkOf(fixture: () => MachineFixture): SubgraphClient {
  const data = { dropVmPeer: true, hasPrivateNetwork: true, enrollVm: { joinCommand: null } };
  const client: Partial<SubgraphClient> = {
    async execute({ query }) {
      if (fixture().isNetworkDown) return { errors: [unavailable('The network is unavailable.')] };
      const [, name = ''] = /^\w+ (\w+)/.exec(query) ?? [];
      if (name === 'EnrollVm') await fixture().beforeEnroll();
      fixture().networkCalls.push(name);
      return { data: { ...data, vmAddresses: fixture().addresses } };
    },
  };
  return client as SubgraphClient;
}

const IDLE: Jobs = { enqueue: () => Promise.resolve(), close: () => Promise.resolve() };

function queueOf(fixture: () => MachineFixture): Jobs {
  return {
    enqueue(_transaction, name, data, { startAfter } = {}) {
      fixture().enqueue({ name, data, atMs: startAfter?.getTime() ?? fixture().nowMs });
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

/** Calls accounts and sometimes loses the response, although the change was made. */
function lossy(fixture: () => MachineFixture, callSubgraph: CallSubgraph): CallSubgraph {
  return async (operation, variables, requestId) => {
    const response = await callSubgraph(operation, variables, requestId);
    if (fixture().losesResponse()) throw unavailable('The response was lost.');
    return response;
  };
}
