import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes } from 'node:crypto';
import { ADMIN_TOKEN } from '../kit/arrangements.js';
import { downloadPath } from '../kit/files/bytes.js';
import { call, type Json } from '../kit/platform.js';
import { TestUpload } from '../kit/files/upload.js';
import { newWallet, personalSign, signIn, type SignedIn } from '../kit/accounts/wallet.js';
import { until } from '../overlay/processes.js';
import { expectStatus, pause, RepeatingClient } from './client.js';
import { History } from './events/events.js';
import { MachineOwner } from './machines.js';
import { GroupWatcher, nameOf, NoticeWatcher } from './events/watchers.js';

/** The number of groups from which the oldest are deleted, so that the graph stays small. */
const MANY_GROUPS = 60;

const FIRST_EVENTS_LIMIT_MS = 30_000;

/** Honest clients that work at the same time. */
export class Load {
  readonly groups = new Set<string>();
  readonly deletedGroups = new Set<string>();
  readonly grants = new Set<string>();
  /** Balances that were read after a grant and were not the sum of the grants. */
  readonly wrongBalances: string[] = [];
  readonly files: { readonly path: string; readonly hash: string }[] = [];
  /** The tokens of those who signed in. */
  readonly signedIn = new Map<string, number>();
  readonly history = new History();
  readonly groupWatchers: readonly GroupWatcher[];
  readonly noticeWatcher: NoticeWatcher;
  /** Known after `stop`. */
  requestsPerMinute = 0;
  private readonly begunAt = performance.now();
  private isOver = false;
  private readonly running: Promise<void>[] = [];

  private constructor(
    readonly client: RepeatingClient,
    private readonly gatewayUrls: readonly string[],
    readonly user: SignedIn,
    readonly machines: MachineOwner,
  ) {
    // The user signed in at the first gateway.
    const [, second = client.url, third = client.url] = gatewayUrls;
    this.groupWatchers = [
      new GroupWatcher('the proxy', client.url, user),
      new GroupWatcher('the second gateway', second, user),
    ];
    this.noticeWatcher = new NoticeWatcher('the third gateway', third, user);
  }

  /** Signs in at one gateway and starts all clients. */
  static async start(url: string, gatewayUrls: readonly string[]): Promise<Load> {
    const client = new RepeatingClient(url);
    const user = await signIn(undefined, gatewayUrls[0]);
    const machines = await MachineOwner.signIn(client);
    const load = new Load(client, gatewayUrls, user, machines);
    await client.repeat('groups', 'POST /api/network/provision/', undefined, { token: user.token });
    await load.watch();
    const paths = ['/api/billing/credits/balance/', '/api/network/groups/', '/api/infrastructure/vm/instances/'];
    const reads = [...paths, `/list_folders/${user.substrateAddress}`].map((path) => () => load.read(path));
    const changes = [() => load.createGroup(), () => load.grantCredit(), () => load.notify()];
    const works = [...changes, () => load.upload(), () => load.signIn()];
    load.running.push(...[...works, ...reads].map((work) => load.untilOver(work)));
    load.running.push(load.untilOver(() => machines.live()));
    return load;
  }

  /** Stops all clients but the watchers, and waits for their last requests. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
    this.requestsPerMinute = (this.client.counts.requests * 60_000) / (performance.now() - this.begunAt);
  }

  /** Ends the watchers. */
  async stopWatching(): Promise<void> {
    for (const { watcher } of [...this.groupWatchers, this.noticeWatcher]) await watcher.stop();
  }

  /** Makes a group and a notification. Resolves when each watcher knows of its own. */
  async eventsArrive(limitMs: number): Promise<void> {
    const id = `marker-${randomBytes(6).toString('hex')}`;
    await Promise.all([this.makeGroup(id), this.tell(id)]);
    await until('the events of a new group and a new notification', limitMs, async () => {
      const isKnown = this.groupWatchers.every(({ labels }) => labels.has(id)) && this.noticeWatcher.heard.has(id);
      return isKnown || undefined;
    });
  }

  /** Starts the watchers, and waits until each was told of something. */
  private async watch(): Promise<void> {
    for (const { watcher } of [...this.groupWatchers, this.noticeWatcher]) watcher.start();
    await this.eventsArrive(FIRST_EVENTS_LIMIT_MS);
  }

  private async untilOver(work: () => Promise<void>): Promise<void> {
    while (!this.isOver) {
      await work().catch((error: unknown) => this.client.fails(error));
      await pause(20);
    }
  }

  private async read(path: string): Promise<void> {
    await this.client.repeat(path, `GET ${path}`, undefined, { token: this.user.token });
  }

  /** A new user signs in. */
  private async signIn(): Promise<void> {
    const wallet = newWallet();
    const { address, substrateAddress: substrate_address } = wallet;
    // Each attempt begins with a new challenge, because a lost answer may have used the earlier one.
    await this.client.attempt('sign-in', async () => {
      const post = async (path: string, body: object) =>
        expectStatus(await call(`POST ${path}`, { url: this.client.url, body }), [200], path);
      const { challenge, message } = (await post('/api/auth/mnemonic/', { address, substrate_address })).body;
      const signature = personalSign(wallet, message);
      const session_data = { challenge, address };
      const proof = { address, substrate_address, challenge, signature, referral_code: null, session_data };
      const { token, user_id: id } = (await post('/api/auth/verify/', proof)).body;
      this.signedIn.set(token, id);
    });
    await pause(200);
  }

  private async createGroup(): Promise<void> {
    await this.makeGroup(`g-${randomBytes(8).toString('hex')}`);
    if (this.groups.size > MANY_GROUPS && this.groups.size % 2 === 0) await this.deleteOldest();
  }

  private async makeGroup(label: string): Promise<void> {
    // Without an idempotency key: that the label is taken says that an earlier attempt arrived.
    const expected = { statuses: [201, 409], token: this.user.token };
    await this.history.change({ kind: 'group', name: nameOf('made', label) }, () =>
      this.client.repeat('groups', 'POST /api/network/groups/', { label }, expected),
    );
    this.groups.add(label);
  }

  private async deleteOldest(): Promise<void> {
    const { token } = this.user;
    const { body } = await this.client.repeat('groups', 'GET /api/network/groups/', undefined, { token });
    const olds = body.filter((group: Json) => group.label.startsWith('g-') && this.groups.has(group.label));
    for (const { id, label } of olds.slice(0, 2)) {
      const expected = { statuses: [204, 404], token };
      await this.history.change({ kind: 'group', name: nameOf('deleted', label), undoes: nameOf('made', label) }, () =>
        this.client.repeat('groups', `DELETE /api/network/groups/${id}/`, undefined, expected),
      );
      this.groups.delete(label);
      this.deletedGroups.add(label);
    }
  }

  private async grantCredit(): Promise<void> {
    const key = randomBytes(12).toString('hex');
    await grantTo(this.client, this.user, { credits: '1', key });
    this.grants.add(key);
    const [balance, granted] = [await balanceOf(this.client, this.user), this.grants.size];
    if (balance !== granted) this.wrongBalances.push(`after ${granted} grants the balance was read as ${balance}`);
  }

  private async notify(): Promise<void> {
    await this.tell(`n-${randomBytes(8).toString('hex')}`);
    await pause(100);
  }

  private async tell(title: string): Promise<void> {
    const query =
      'mutation ($to: String!, $title: String!) { adminNotify(substrateAddress: $to, kind: account, title: $title, text: "load", idempotencyKey: $title) }';
    const variables = { to: this.user.substrateAddress, title };
    await this.history.change({ kind: 'notification', name: title }, () =>
      this.client.repeat('notification', 'POST /graphql', { query, variables }, { token: ADMIN_TOKEN }),
    );
  }

  /** An upload whose chunks go to all gateways; a chunk is safe to repeat, and so is its end. */
  private async upload(): Promise<void> {
    const bytes = randomBytes(40_000);
    const { client, gatewayUrls, user } = this;
    const open = () => TestUpload.open({ user, bytes, chunkSize: 8192, url: client.url });
    const upload = await client.attempt('session', open);
    for (let index = 0; index < upload.chunkCount; index++) {
      const at = upload.at(gatewayUrls[index % gatewayUrls.length] ?? client.url);
      const through = async (place: TestUpload) => expectStatus(await place.put(index), [200]);
      // A gateway that is away: the next attempt goes through the proxy.
      await client.attempt(
        'chunk',
        () => through(at),
        () => through(upload),
      );
    }
    await client.attempt('finalize', async () => expectStatus(await upload.finalize(), [200]));
    this.files.push({ path: downloadPath(upload.plan.manifest), hash: Buffer.from(blake3(bytes)).toString('hex') });
  }
}

/** The balance of a user who has nothing held. */
export async function balanceOf(client: RepeatingClient, { token }: SignedIn): Promise<number> {
  const { body } = await client.repeat(undefined, 'GET /api/billing/credits/balance/', undefined, { token });
  return Number(body.results?.[0]?.balance ?? body.balance ?? body[0]?.balance);
}

/** Grants a user credits, once however often it is sent. */
async function grantTo(
  client: RepeatingClient,
  { substrateAddress }: SignedIn,
  { credits, key }: { readonly credits: string; readonly key: string },
): Promise<void> {
  const query =
    'mutation ($to: String!, $credits: Decimal!, $key: String!) { adminGrantCredits(substrateAddress: $to, credits: $credits, reason: "load", idempotencyKey: $key) { balance } }';
  const variables = { to: substrateAddress, credits, key };
  await client.repeat('grant', 'POST /graphql', { query, variables }, { token: ADMIN_TOKEN });
}
