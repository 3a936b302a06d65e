import type { SignedIn } from '../../kit/accounts/wallet.js';
import type { Hearing, Knowledge } from './events.js';
import { Watcher } from './watcher.js';

interface Topology extends Record<string, unknown> {
  readonly topologyChanged: {
    readonly revision: number;
    readonly from: number | null;
    readonly isWhole: boolean;
    readonly nodes: readonly { readonly id: string; readonly label: string }[];
    readonly removedNodes: readonly string[];
  };
}

/** What the change is called that makes or deletes a group. */
export const nameOf = (verb: 'made' | 'deleted', label: string): string => `the group ${label} was ${verb}`;

/** Keeps the groups of a user by what it is told. */
export class GroupWatcher implements Knowledge {
  readonly kind = 'group';
  readonly heard = new Map<string, Hearing>();
  readonly watcher: Watcher<Topology>;
  /** Changes that say that one before them was missed. */
  gaps = 0;
  private hasGap = false;
  private nodes = new Map<string, string>();
  private revision: number | undefined;
  private lostAt = 0;

  constructor(
    readonly place: string,
    url: string,
    { token }: SignedIn,
  ) {
    this.watcher = new Watcher(url, token, {
      query: () => 'subscription { topologyChanged { revision from isWhole removedNodes nodes { id label } } }',
      lost: () => this.lose(),
      hear: ({ topologyChanged }) => this.hear(topologyChanged),
    });
  }

  /** The labels of all nodes. */
  get labels(): Set<string> {
    return new Set(this.nodes.values());
  }

  private lose(): void {
    if (this.revision !== undefined) this.lostAt = performance.now();
    this.revision = undefined;
  }

  private hear(change: Topology['topologyChanged']): void {
    if (!change.isWhole && change.from !== this.revision) {
      this.gaps++;
      this.hasGap = true;
      throw new Error('a change was missed');
    }
    const after = new Map(change.isWhole ? [] : this.nodes);
    for (const id of change.removedNodes) after.delete(id);
    for (const { id, label } of change.nodes) after.set(id, label);
    const whole = this.revision === undefined && !this.hasGap ? 'begin' : 'middle';
    this.hasGap = false;
    this.compare(after, { at: performance.now(), by: change.isWhole ? whole : 'event', lostAt: this.lostAt });
    this.revision = change.revision;
  }

  private compare(after: Map<string, string>, hearing: Hearing): void {
    for (const [id, label] of after) if (!this.nodes.has(id)) this.heard.set(nameOf('made', label), hearing);
    for (const [id, label] of this.nodes) if (!after.has(id)) this.heard.set(nameOf('deleted', label), hearing);
    this.nodes = after;
  }
}

interface Notice extends Record<string, unknown> {
  readonly notificationAdded: { readonly id: string; readonly title: string };
}

/** Hears the notifications of a user, after a lost connection from the last one on. */
export class NoticeWatcher implements Knowledge {
  readonly kind = 'notification';
  readonly heard = new Map<string, Hearing>();
  readonly watcher: Watcher<Notice>;
  /** Notifications that came more than once. */
  readonly twice: string[] = [];
  private last = '0';

  constructor(
    readonly place: string,
    url: string,
    { token }: SignedIn,
  ) {
    this.watcher = new Watcher(url, token, {
      query: () => `subscription { notificationAdded(after: "${this.last}") { id title } }`,
      lost: () => undefined,
      hear: ({ notificationAdded }) => this.hear(notificationAdded),
    });
  }

  private hear({ id, title }: Notice['notificationAdded']): void {
    this.last = id;
    if (this.heard.has(title)) this.twice.push(`${title} came twice to the watcher at ${this.place}`);
    this.heard.set(title, { at: performance.now(), by: 'event', lostAt: 0 });
  }
}
