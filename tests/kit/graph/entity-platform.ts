import { Collector, isWhole, wholeTrace } from '../telemetry/collector.js';
import { DEFAULT_HASH } from '../files/sync.js';
import { addFolders, addMachines, type DatabaseOf } from './linked-rows.js';
import { SUBGRAPH_SECRET, type Arrangement, type RunningPlatform } from '../arrangements.js';
import { startOnDatabase, startOnDatabases } from '../database/own-database.js';
import { asAdmin, call, graphql, type Json } from '../platform.js';
import { until } from '../watch.js';
import { machineIn, spawn } from '../machines/machine.js';
import { signIn, type SignedIn } from '../accounts/wallet.js';

/** A user with machines, each of them a peer. */
export interface MachineOwner extends SignedIn {
  /** The first of the machines. */
  readonly machine: Json;
}

/** The type and the key of an entity. */
export interface EntityKey {
  readonly type: string;
  readonly key: object;
}

/** Keys of entities of one type, and the fields to read. */
export interface EntityKeys {
  readonly keys: readonly object[];
  readonly fields: string;
}

function representationsOf(type: string, keys: readonly object[], fields: string): object {
  return {
    query: `query ($keys: [_Any!]!) { found: _entities(representations: $keys) { ... on ${type} { ${fields} } } }`,
    variables: { keys: keys.map((key) => ({ __typename: type, ...key })) },
  };
}

/** A use is written at most once a minute; the tokens of requests at one time are read by one statement, in one of their traces. */
const OF_TOKENS: ReadonlySet<string> = new Set(['token-use', 'token-holders-by-hash']);

/** A platform whose statements are counted and whose subgraphs can be asked for entities. */
export class EntityPlatform {
  private constructor(
    readonly platform: RunningPlatform,
    readonly databaseOf: DatabaseOf,
    private readonly collector: Collector,
  ) {}

  static async start(arrangement: Arrangement): Promise<EntityPlatform> {
    const collector = await Collector.open();
    if (arrangement === 'in process') {
      const platform = await startOnDatabase({ ...collector.settings, SUBGRAPH_SECRET });
      return new EntityPlatform(platform, () => platform.databaseUrl, collector);
    }
    const platform = await startOnDatabases(collector.settings);
    return new EntityPlatform(platform, (name) => platform.databaseUrls[name] ?? '', collector);
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    this.collector.close();
  }

  /** Signs in a user with a network, credits and this number of machines, each of them a peer. */
  async ownerOf(count: number): Promise<MachineOwner> {
    const { url } = this.platform;
    const user = await signIn(undefined, url);
    const { substrateAddress: address, token, userId } = user;
    await asAdmin(
      'mutation ($a: String!) { adminSetRoles(substrateAddress: $a, roles: [BETA]) { id } }',
      { a: address },
      url,
    );
    await asAdmin(
      'mutation ($a: String!) { adminGrantCredits(substrateAddress: $a, credits: 100, reason: "a test") { balance } }',
      { a: address },
      url,
    );
    await call('POST /api/network/provision/', { url, token });
    const folder = { ss58_address: address, folder_hash: DEFAULT_HASH, label: 'default' };
    await call('POST /register_folder', { url, token, body: folder });
    const { body } = await spawn(user, { url, body: { join_network: true } });
    const machine = await machineIn('running', body.id, { token, url });
    await addFolders(this.databaseOf, address, count - 1);
    await addMachines(this.databaseOf, { userId, like: machine.id }, count - 1);
    return { ...user, machine };
  }

  /** Executes a query. Returns its data and the names of its statements. @throws when it has errors */
  async statementsOf(query: string, token: string): Promise<{ readonly data: Json; readonly statements: string[] }> {
    let answer: Json;
    const statements = await this.statementsIn(async (headers) => {
      ({ body: answer } = await call('POST /graphql', { url: this.platform.url, token, headers, body: { query } }));
    });
    if (answer.errors) throw new Error(JSON.stringify(answer.errors));
    return { data: answer.data, statements };
  }

  private async statementsIn(send: (headers: Record<string, string>) => Promise<void>): Promise<string[]> {
    const spans = await wholeTrace(this.collector, send);
    const statements = spans.filter(({ name, attributes }) => attributes['db.system.name'] && !OF_TOKENS.has(name));
    return statements.map(({ name }) => name).toSorted();
  }

  /**
   * Makes changes one after the other, each of which is an event of the subscription. Returns the names of the statements in
   * the traces of all these events. @throws when the gateway executes another number of events
   */
  async statementsOfEvents(field: string, count: number, change: (number: number) => Promise<void>): Promise<string[]> {
    const since = BigInt(Date.now()) * 1_000_000n;
    const traces = () =>
      this.collector.spans
        .filter(({ name, startedAt }) => name === `event ${field}` && startedAt >= since)
        .map(({ traceId }) => this.collector.trace(traceId));
    for (let number = 1; number <= count; number++) await change(number);
    await until(async () => traces().length >= count && traces().every((spans) => isWhole(spans)));
    if (traces().length > count) throw new Error(`${traces().length} events were executed for ${count} changes`);
    const statements = traces().flatMap((spans) => spans.filter(({ attributes }) => attributes['db.system.name']));
    return statements.map(({ name }) => name).toSorted();
  }

  /** Asks a subgraph for an entity, as the gateway does for this viewer. */
  async entity(subgraph: string, viewer: object, { type, key }: EntityKey, fields: string): Promise<Json> {
    return (await this.ask(subgraph, viewer, representationsOf(type, [key], fields)))[0];
  }

  /** Asks a subgraph for several entities. Returns them and the names of the statements. */
  async entities(subgraph: string, viewer: object, type: string, { keys, fields }: EntityKeys) {
    let found: Json[] = [];
    const statements = await this.statementsIn(async (headers) => {
      found = await this.ask(subgraph, viewer, representationsOf(type, keys, fields), headers);
    });
    return { found, statements };
  }

  private async ask(subgraph: string, viewer: object, body: object, headers = {}): Promise<Json[]> {
    const { url, subgraphUrls } = this.platform;
    const answer = await call('POST ', {
      url: subgraphUrls[subgraph] ?? `${url}/_subgraphs/${subgraph}`,
      headers: {
        'x-subgraph-secret': SUBGRAPH_SECRET,
        'x-viewer': Buffer.from(JSON.stringify(viewer)).toString('base64url'),
        ...headers,
      },
      body,
    });
    if (answer.body.errors) throw new Error(JSON.stringify(answer.body.errors));
    return answer.body.data.found;
  }

  /** Gives a user a private project in the model registry. */
  async setProject(project: string, { substrateAddress }: SignedIn): Promise<void> {
    const set = `mutation ($project: String!, $address: String!) {
      adminSetModelProject(project: $project, isPublic: false, substrateAddress: $address) { project }
    }`;
    await asAdmin(set, { project, address: substrateAddress }, this.platform.url);
  }

  graphql(query: string, token: string): Promise<Json> {
    return graphql(query, { token, url: this.platform.url });
  }
}

/** The viewer of a user, as the gateway sends it. */
export function viewerOf({ userId, substrateAddress }: SignedIn): object {
  const token = { tokenId: 'a-test', expiresAt: null, roles: [] };
  return { kind: 'user', userId, username: 'a-test', substrateAddress, ...token };
}
