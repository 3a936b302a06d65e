import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { CurrentGraph, graphOf } from '../../../gateway/graphql/current-graph.js';
import { Revocations } from '../../../gateway/graphql/token-watch/revocations.js';
import { ViewerQueue } from '../../../gateway/graphql/viewer-queue.js';
import { RequestRates } from '../../../gateway/http/request-rates.js';
import { addSockets } from '../../../gateway/websocket/socket.js';
import { openDatabase, type Database } from '../../../kernel/database/database.js';
import { SharedSubscription } from '../../../kernel/events/sources/shared-subscription.js';
import { Subscribers } from '../../../kernel/events/sources/subscribers.js';
import type { Jobs } from '../../../kernel/jobs/jobs.js';
import { packageRoot } from '../../../kernel/package-root.js';
import type { UserViewer } from '../../../kernel/security/viewer.js';
import type { Runtime } from '../../../kernel/subgraph/context.js';
import { LocalSubgraph } from '../../../kernel/subgraph/local-subgraph.js';
import { RemoteSubgraphClient } from '../../../kernel/subgraph/remote/remote-subgraph.js';
import { remoteEndpointOf } from '../../../kernel/subgraph/endpoint/caller-headers.js';
import { SubgraphEndpoint } from '../../../kernel/subgraph/endpoint/subgraph-endpoint.js';
import { subgraphSchema } from '../../../kernel/subgraph/subgraph.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { addUser } from '../../../subgraphs/accounts/identity/user/user.actions.js';
import type { CreditBalance } from '../../../subgraphs/accounts/ledger/credit/credit-balance.js';
import { balanceTopic, postTransfer } from '../../../subgraphs/accounts/ledger/transfer/transfer.actions.js';
import type { InboxPosition } from '../../../subgraphs/accounts/notifications/notification/inbox-position.js';
import {
  notificationTopic,
  notify,
} from '../../../subgraphs/accounts/notifications/notification/notification.actions.js';
import { accounts } from '../../../subgraphs/accounts/subgraph.js';
import { SUBGRAPH_SECRET, type Arrangement } from '../arrangements.js';
import { newDatabase } from '../database/own-database.js';

const log = openLog('silent', 'tests');
const now = () => new Date();
const IDLE_JOBS = { enqueue: async () => undefined } as Partial<Jobs> as Jobs;

/** A gateway with accounts only, which counts statements and executed subscriptions. A token is the id of a user. */
export class SharedAccounts {
  /** The names of the statements of accounts. */
  readonly statements: string[] = [];
  private readonly changes = new Subscribers();
  private readonly executed = new Map<AbortSignal, number>();
  private readonly servers: Server[] = [];
  private closeSockets: () => void = () => undefined;

  private constructor(private readonly database: Database) {}

  static async start(arrangement: Arrangement): Promise<SharedAccounts> {
    const database = await openDatabase({ url: await newDatabase(), schema: 'accounts', log });
    const shared = new SharedAccounts(database);
    const local = shared.openAccounts();
    const client = arrangement === 'in process' ? local : await shared.behindHttp(local);
    const supergraph = readSupergraph(readFileSync(join(packageRoot(), 'schema/supergraph.graphql'), 'utf8'));
    const engine = new Engine(supergraph, new Map([['accounts', client]]));
    const http = createServer();
    shared.closeSockets = addSockets(http, {
      graph: new CurrentGraph(graphOf(engine, { isLimited: true })),
      access: {
        viewerQueue: new ViewerQueue(),
        revocations: new Revocations(client, log),
        rates: new RequestRates({ perUser: 0, perAddress: 0 }, () => 0),
        findViewer: (authorization = '') => Promise.resolve(viewerIn(authorization)),
      },
      log,
      countOperation: () => undefined,
      clientAddressOf: () => '127.0.0.1',
    });
    await shared.listen(http);
    return shared;
  }

  get url(): string {
    const address = this.servers.at(-1)?.address() as AddressInfo;
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.closeSockets();
    for (const server of this.servers) server.close();
    await this.database.close();
  }

  /** How many subscriptions of the user the subgraph executes. */
  executedFor(userId: number): number {
    return [...this.executed.values()].filter((id) => id === userId).length;
  }

  async newUser(): Promise<number> {
    const user = { username: randomUUID(), ethereumAddress: null, roles: [] };
    return (await this.database.change((transaction) => addUser(transaction, user, now()))) ?? 0;
  }

  async grantTo(userId: number): Promise<void> {
    const transfer = { source: 'administrator', reference: randomUUID(), kind: 'grant', reason: 'a test' } as const;
    await this.database.change((transaction) =>
      postTransfer(transaction, { ...transfer, userId, credits: '1' }, now()),
    );
    this.changes.deliver(balanceTopic(userId));
  }

  async tell(userId: number, title: string): Promise<void> {
    const notice = { userId, kind: 'account', key: randomUUID(), title, text: 'A text' } as const;
    await this.database.change((transaction) => notify(transaction, IDLE_JOBS, notice, now()));
    this.changes.deliver(notificationTopic(userId));
  }

  private openAccounts(): LocalSubgraph {
    const counted: Pick<Database, 'run'> = {
      run: (query, values) => {
        this.statements.push(query.name);
        return this.database.run(query, values);
      },
    };
    const runtime = {
      database: counted,
      events: { subscribe: (topics: readonly string[], signal: AbortSignal) => this.changes.add(topics, signal) },
      services: {
        balances: new SharedSubscription<CreditBalance>({ everyMs: 0, isReadForJoiners: true }),
        inboxes: new SharedSubscription<InboxPosition>({ everyMs: 0, isReadForJoiners: true }),
      },
      now,
      log,
    };
    const subgraph = new LocalSubgraph(subgraphSchema(accounts), runtime as Partial<Runtime> as Runtime);
    const subscribe = subgraph.subscribe.bind(subgraph);
    subgraph.subscribe = (request, signal) => {
      this.executed.set(signal, 'userId' in request.viewer ? request.viewer.userId : 0);
      signal.addEventListener('abort', () => this.executed.delete(signal), { once: true });
      return subscribe(request, signal);
    };
    return subgraph;
  }

  private async behindHttp(local: LocalSubgraph): Promise<RemoteSubgraphClient> {
    const endpoint = new SubgraphEndpoint(local, [SUBGRAPH_SECRET]);
    const port = await this.listen(createServer((request, response) => void endpoint.handle(request, response)));
    return new RemoteSubgraphClient(remoteEndpointOf('accounts', `http://127.0.0.1:${port}/`, SUBGRAPH_SECRET));
  }

  private async listen(server: Server): Promise<number> {
    this.servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }
}

/** Another word after the id is another token of the user. */
function viewerIn(authorization: string): UserViewer {
  const token = authorization.split(' ')[1] ?? '';
  const user = { kind: 'user', username: 'a-test', substrateAddress: null, roles: [] } as const;
  return { ...user, userId: Number.parseInt(token, 10), tokenId: token, expiresAt: null };
}
