import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { freePort } from '../arrangements.js';
import { ALL_GROUP, Refusal, SHAPES, shown, type StoredObject, type NetbirdKind } from './netbird-shapes.js';
import type { Json } from '../platform.js';

export const NETBIRD_TOKEN = 'nbp_the_token_of_the_tests';

/** How the server handles requests: normally, without a response, with an error status, or with a lost response. */
type Mood = 'well' | 'silent' | 'failing' | 'busy' | 'losing answers';

const DAY_SECONDS = 86_400;

/**
 * A NetBird management server as its published OpenAPI describes it: groups, policies, networks with resources and
 * routers, setup keys and peers. Machines join with `join`; tests change `kept` to simulate other clients.
 */
export class NetbirdServer {
  mood: Mood = 'well';
  readonly kept: Record<NetbirdKind, Map<string, StoredObject>> = {
    groups: new Map(),
    policies: new Map(),
    networks: new Map(),
    resources: new Map(),
    routers: new Map(),
    'setup-keys': new Map(),
    peers: new Map(),
  };
  /** Successful writes, e.g. `POST groups`. */
  readonly writes: string[] = [];
  /** Requests for objects with this text in their name fail. */
  indigestible: string | undefined;
  /** Called between a write and its response. */
  afterWrite: (write: string) => Promise<void> = () => Promise.resolve();
  /** Called between the reading of a list and its response. */
  afterList: (kind: NetbirdKind) => Promise<void> = () => Promise.resolve();
  /** The default group. */
  readonly everybody = this.add('groups', { name: ALL_GROUP, peers: [] });

  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<NetbirdServer> {
    const port = await freePort();
    const server = createServer((request, response) => void netbird.answer(request, response)).listen(
      port,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const netbird: NetbirdServer = new NetbirdServer(`http://127.0.0.1:${port}`, async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    });
    return netbird;
  }

  /** Environment variables for the platform. */
  get env(): Record<string, string> {
    return { NETWORK_ENGINE: 'netbird', NETBIRD_URL: this.url, NETBIRD_TOKEN };
  }

  /** Returns all objects of a kind as the API shows them, by name if they have one. */
  list(kind: NetbirdKind): Json[] {
    return [...this.kept[kind].values()].map((each) => shown(this.kept, kind, each));
  }

  named(kind: NetbirdKind, name: string): Json {
    return this.list(kind).find((each) => each.name === name);
  }

  /** A machine runs `netbird up`. Returns its id. @throws Refusal for an unknown, used or revoked key */
  join(setupKey: string): string {
    const key = [...this.kept['setup-keys'].values()].find((each) => each.key === setupKey);
    if (!key || key.revoked || key.used_times >= key.usage_limit) throw new Refusal(401, 'invalid setup key');
    key.used_times++;
    const ip = `100.90.0.${this.kept.peers.size + 1}`;
    const id = this.add('peers', { name: `machine-${key.used_times}`, connected: true, ip });
    for (const group of [this.everybody, ...key.auto_groups]) this.kept.groups.get(group)?.peers.push(id);
    return id;
  }

  /** Creates an object as another client. Returns its id. */
  add(kind: NetbirdKind, fields: Json): string {
    const id = randomUUID().replaceAll('-', '').slice(0, 20);
    this.kept[kind].set(id, { ...fields, id });
    return id;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.mood === 'silent') return;
    const reply = (status: number, body: unknown) => {
      const headers = { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '1' }) };
      response.writeHead(status, headers).end(JSON.stringify(body));
    };
    try {
      const answer = await this.serve(request);
      if (this.mood === 'losing answers' && request.method !== 'GET') request.destroy();
      else reply(200, answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      reply(error.status, { message: error.message, code: error.status });
    }
  }

  private async serve(request: IncomingMessage): Promise<Json> {
    this.refuse(request);
    const { method = '', url = '/' } = request;
    const body: Json = method === 'POST' || method === 'PUT' ? await json(request) : undefined;
    const before = this.writes.length;
    const path = new URL(url, this.url).pathname;
    const answer = this.route(method, path, body);
    const [write] = this.writes.slice(before);
    if (write !== undefined) await this.afterWrite(write);
    else if (Array.isArray(answer)) await this.afterList(placeOf(path).kind);
    return answer;
  }

  private refuse({ headers }: IncomingMessage): void {
    if (this.mood === 'failing') throw new Refusal(503, 'no healthy upstream');
    if (this.mood === 'busy') throw new Refusal(429, 'too many requests');
    if (headers.authorization !== `Token ${NETBIRD_TOKEN}`) throw new Refusal(401, 'token invalid');
  }

  private route(method: string, path: string, body: Json): Json {
    const { kind, network, id } = placeOf(path);
    if (network !== undefined && !this.kept.networks.has(network)) throw new Refusal(404, 'network not found');
    if (id === undefined) return this.routeList(method, { kind, network, body });
    const own = this.kept[kind].get(id);
    if (!own || own.network !== network) throw new Refusal(404, `${kind} ${id} not found`);
    if (method === 'GET') return shown(this.kept, kind, own);
    this.note(method, kind, body);
    if (method === 'DELETE') return this.remove(kind, own);
    if (method === 'PUT') return this.replace(kind, own, body);
    throw new Refusal(405, 'method not allowed');
  }

  private routeList(method: string, { kind, network, body }: Omit<Place, 'id'> & { readonly body: Json }): Json {
    if (method === 'GET')
      return this.list(kind).filter(({ id: each }) => this.kept[kind].get(each)?.network === network);
    this.note(method, kind, body);
    if (method === 'POST') return this.create(kind, network, body);
    throw new Refusal(405, 'method not allowed');
  }

  private note(method: string, kind: NetbirdKind, body: Json): void {
    if (this.indigestible !== undefined && String(body?.name).includes(this.indigestible))
      throw new Refusal(500, 'internal server error');
    this.writes.push(`${method} ${kind}`);
  }

  private create(kind: NetbirdKind, network: string | undefined, body: Json): Json {
    SHAPES[kind](this.kept, body, undefined);
    const made = { ...body, ...(network !== undefined && { network }), ...(kind === 'setup-keys' && newKey(body)) };
    const own: StoredObject = this.kept[kind].get(this.add(kind, made));
    if (kind === 'groups') own.peers ??= [];
    const answer = shown(this.kept, kind, own);
    return kind === 'setup-keys' ? { ...answer, key: own.key } : answer;
  }

  private replace(kind: NetbirdKind, own: StoredObject, body: Json): Json {
    SHAPES[kind](this.kept, body, own.id);
    // As the server does: a group update replaces all members; a key update keeps the other fields.
    const kept = kind === 'groups' ? { peers: [], resources: [] } : kind === 'setup-keys' ? own : {};
    this.kept[kind].set(own.id, {
      ...kept,
      ...body,
      id: own.id,
      ...(own.network !== undefined && { network: own.network }),
    });
    return shown(this.kept, kind, this.kept[kind].get(own.id));
  }

  private remove(kind: NetbirdKind, { id }: StoredObject): Json {
    if (kind === 'groups' && this.isUsed(id)) throw new Refusal(400, 'group is linked to another object');
    this.kept[kind].delete(id);
    for (const inner of ['resources', 'routers'] as const)
      for (const each of this.kept[inner].values()) if (each.network === id) this.kept[inner].delete(each.id);
    for (const group of this.kept.groups.values()) group.peers = group.peers.filter((peer: string) => peer !== id);
    return {};
  }

  private isUsed(group: string): boolean {
    const { policies, routers, resources } = this.kept;
    const others = [policies, routers, resources, this.kept['setup-keys']].flatMap((each) => [...each.values()]);
    return others.some((each) => JSON.stringify(each).includes(group));
  }
}

interface Place {
  readonly kind: NetbirdKind;
  /** The network of the object. */
  readonly network: string | undefined;
  readonly id: string | undefined;
}

function placeOf(path: string): Place {
  const inner = /^\/api\/networks\/([^/]+)\/(resources|routers)(?:\/([^/]+))?$/.exec(path);
  if (inner) return { kind: inner[2] as NetbirdKind, network: inner[1], id: inner[3] };
  const outer = /^\/api\/(groups|policies|networks|setup-keys|peers)(?:\/([^/]+))?$/.exec(path);
  if (!outer) throw new Refusal(404, 'not found');
  return { kind: outer[1] as NetbirdKind, network: undefined, id: outer[2] };
}

function newKey({ expires_in }: Json): Json {
  if (expires_in < DAY_SECONDS) throw new Refusal(422, 'expiration should be at least one day');
  const expires = new Date(Date.now() + expires_in * 1000).toISOString();
  return { key: randomUUID().toUpperCase(), expires, used_times: 0, revoked: false };
}
