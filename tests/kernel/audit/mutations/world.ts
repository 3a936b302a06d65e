import { jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { isCompositeType, getNamedType, type GraphQLField } from 'graphql';
import { SUBGRAPHS } from '../../../../gateway/composition/supergraph.js';
import { subgraphSchema } from '../../../../kernel/subgraph/subgraph.js';
import { ADMIN_TOKEN, startInProcess, SUBGRAPHS as NAMES } from '../../../kit/arrangements.js';
import { startIssuers } from '../../../kit/accounts/issuer.js';
import { signInToBeta } from '../../../kit/machines/machine.js';
import { MailServer } from '../../../kit/accounts/mail-server.js';
import { newDatabase } from '../../../kit/database/own-database.js';
import { call, graphql, type Json } from '../../../kit/platform.js';
import { startPolicyStore } from '../../../kit/storage/policy-store.js';
import { PriceSources } from '../../../kit/payments/price-source.js';
import { REGISTRY_TOKEN, startRegistry } from '../../../kit/models/registry.js';
import { S3_KEYS } from '../../../kit/blobs/s3.js';
import { serviceToken, signIn, signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';

/** All mutations of the composed schema, also those that only the platform may call. */
export const MUTATIONS: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  SUBGRAPHS.flatMap((manifest) => Object.entries(subgraphSchema(manifest).getMutationType()?.getFields() ?? {})),
);

/** What came back for a request. */
export interface Sent {
  readonly requestId: string;
  readonly isRefused: boolean;
  readonly data: Json;
}

/** Who sends a mutation. */
export type Sender = 'user' | 'stranger' | 'administrator' | 'service' | 'nobody' | 'newcomer';

interface Callers {
  readonly user: SignedIn;
  readonly stranger: SignedIn;
  /** The token of a service. */
  readonly service: string;
}

/** A platform with all that its mutations need, its database, and users. */
export class World {
  /** A user without a network, another one for each case. */
  newcomer: SignedIn;

  readonly user: SignedIn;
  readonly stranger: SignedIn;
  private readonly service: string;

  private constructor(
    readonly url: string,
    readonly database: Client,
    readonly mail: MailServer,
    { user, stranger, service }: Callers,
  ) {
    this.user = user;
    this.stranger = stranger;
    this.newcomer = stranger;
    this.service = service;
  }

  /** Starts the platform as the one that the kit speaks to. */
  static async open(): Promise<{ readonly world: World; readonly close: () => Promise<void> }> {
    // The issuers print notices about their defaults at each sign-in.
    const info = jest.spyOn(console, 'info').mockImplementation(() => undefined);
    const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
    const [issuers, registry, mail, store, prices, databaseUrl] = await Promise.all([
      withoutWarnings(startIssuers),
      startRegistry(),
      MailServer.open(),
      startPolicyStore(),
      PriceSources.start(1),
      newDatabase(),
    ]);
    prices.answers = ['{"price": "312.5"}'];
    const running = await startInProcess({
      ...issuers.env,
      ...S3_KEYS,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      BLOB_URL: store.url,
      REGISTRY_URL: registry.url,
      REGISTRY_TOKEN,
      SMTP_URL: mail.url,
      SMTP_FROM: 'cloud@mail.example',
      TAO_PRICE_URLS: prices.urls.join(','),
    });
    globalThis.ARRANGEMENT = 'in process';
    process.env.PLATFORMS_UNDER_TEST = JSON.stringify({ 'in process': { url: running.url, subgraphUrls: {} } });
    process.env.REGISTRY_UNDER_TEST = registry.url;
    const database = new Client({ connectionString: databaseUrl });
    await database.connect();
    const user = await signInToBeta('1000');
    await call('POST /api/network/provision/', { token: user.token });
    const callers = { user, stranger: await signInWithNetwork(), service: await serviceToken('VALIDATOR') };
    const world = new World(running.url, database, mail, callers);
    const close = async () => {
      await database.end();
      await running.stop();
      await Promise.all([issuers.stop(), registry.stop(), mail.close(), store.close(), prices.stop()]);
      await rm(dataDir, { recursive: true, force: true });
      info.mockRestore();
    };
    return { world, close };
  }

  tokenOf(sender: Sender): string | undefined {
    if (sender === 'nobody') return undefined;
    if (sender === 'administrator') return ADMIN_TOKEN;
    return sender === 'service' ? this.service : this[sender].token;
  }

  /** Sends a mutation with these arguments. */
  async send(sender: Sender, mutation: string, args: Json): Promise<Sent> {
    const field = MUTATIONS.get(mutation);
    if (!field) throw new Error(`there is no mutation ${mutation}`);
    const given = field.args.filter(({ name }) => args[name] !== undefined);
    const declared = given.map(({ name, type }) => `$${name}: ${type.toString()}`).join(', ');
    const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
    const selection = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : '';
    const inParentheses = (text: string) => (text === '' ? '' : `(${text})`);
    const query = `mutation ${inParentheses(declared)} { ${mutation}${inParentheses(passed)} ${selection} }`;
    const token = this.tokenOf(sender);
    return sentOf(await call('POST /graphql', { body: { query, variables: args }, ...(token && { token }) }));
  }

  /** Executes an operation of the user. @throws when it is refused */
  async ask(query: string, variables: Json = {}, token = this.user.token): Promise<Json> {
    const { data, errors } = await graphql(query, { token, variables });
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  }

  /** The entries of a request in all logs. */
  async entriesOf(requestId: string): Promise<Entry[]> {
    const log = (subgraph: string) => `SELECT '${subgraph}' AS subgraph, * FROM ${subgraph}.audit_entry`;
    const text = `SELECT * FROM (${NAMES.map(log).join(' UNION ALL ')}) e WHERE request_id = $1 ORDER BY subgraph, user_id`;
    const { rows } = await this.database.query<Entry>(text, [requestId]);
    return rows;
  }
}

/** Starts issuers, which warn that they keep their data in memory. */
async function withoutWarnings<Result>(work: () => Promise<Result>): Promise<Result> {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  try {
    return await work();
  } finally {
    warn.mockRestore();
  }
}

/** Reads a response over REST or GraphQL. */
export function sentOf({
  status,
  body,
  headers,
}: {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers | Readonly<Record<string, unknown>>;
}): Sent {
  const requestId = headers instanceof Headers ? headers.get('x-request-id') : headers['x-request-id'];
  return { requestId: String(requestId), isRefused: status >= 400 || Boolean(body?.errors), data: body };
}

interface NamedId {
  readonly name: string;
  readonly value: string;
}

/** A row of an audit log. */
export interface Entry {
  readonly subgraph: string;
  readonly user_id: number;
  readonly mutation: string;
  readonly caller: string;
  readonly actor: string | null;
  readonly actor_id: number | null;
  readonly token_id: string | null;
  readonly client_address: string | null;
  readonly argument_ids: readonly NamedId[];
  readonly result_ids: readonly NamedId[];
  readonly previous_ids: readonly NamedId[];
}

/** How a mutation is tried: first as it is refused, then as it succeeds. */
export interface AuditCase {
  /** Who sends it; default: the user. */
  readonly by?: Sender;
  /** Its arguments, with all that they name. */
  readonly args?: object | ((world: World) => Promise<Json>);
  /** Who is refused with the same arguments, or the arguments that are refused. Default: a stranger. */
  readonly refused?: Sender | object;
  /** Whether a refusal answers as a success does, so that nobody learns from it. */
  readonly isSilent?: true;
  /** Names of the ids in the entry: those of arguments, of results, and of rows before. */
  readonly ids: readonly [args: string, results: string, previous?: string];
  /** Whose log has the entry; default: the sender's. A new user is one that the mutation made. */
  readonly log?: 'user' | 'new user';
  /** Whether the entry is also in the log of the user, because the sender changes things of this user. */
  readonly isShown?: true;
  /** Calls of the platform that the mutation makes and that the user's log shows: `subgraph.mutation`. */
  readonly calls?: readonly string[];
  /** Why a success has no entry. */
  readonly writesNothing?: string;
  /** Sends it by other means than `POST /graphql`. */
  readonly send?: (world: World, args: Json, sender: Sender) => Promise<Sent>;
}

/** Cases by mutation; a second case of a mutation has a word after its name. */
export type AuditCases = Readonly<Record<string, AuditCase>>;

/** Signs in another user for `newcomer`. */
export async function renewNewcomer(world: World): Promise<Json> {
  world.newcomer = await signIn();
  return {};
}
