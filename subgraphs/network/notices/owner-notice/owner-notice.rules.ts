/** What happened to a peer since its owner was last notified. */
export type PeerEvent = 'joined' | 'offline' | 'online' | 'removed' | 'ending';

/** What happened to a policy. */
export type PolicyEvent = 'created' | 'changed' | 'enabled' | 'disabled' | 'deleted';

/** An event of a private network, with the label of the peer or the name of the policy. */
export type NetworkEvent =
  | { readonly kind: 'peer'; readonly what: PeerEvent; readonly label: string }
  | { readonly kind: 'policy'; readonly what: PolicyEvent; readonly label: string };

type EventKind = NetworkEvent['kind'];

/** A notification for the owner of a private network. */
export interface OwnerNotice {
  readonly kind: EventKind;
  readonly title: string;
  readonly text: string;
  /** If the owner has to do something. */
  readonly severity?: 'warning';
}

/** Minimum milliseconds between two notifications of a network; events in between are in the next one. */
export const WINDOW_MS = 300_000;

/** A peer that sent no report for as many milliseconds is offline to its owner. */
export const OFFLINE_MS = 600_000;

/** The owner is notified as many milliseconds before a certificate of a peer ends that was not renewed. */
export const ENDING_MS = 86_400_000;

/** Names in a sentence; more are only counted. */
const MAX_NAMES = 10;

/** How each event is written: in the title for one, in the title for a number, and in the text. */
const WORDS = {
  peer: {
    joined: ['has joined your network', 'joined', 'Joined'],
    offline: ['is offline', 'offline', 'No report for 10 minutes'],
    online: ['is online again', 'online again', 'Online again'],
    removed: ['was removed from your network', 'removed', 'Removed'],
    ending: ['has a certificate that ends soon', 'with a certificate that ends soon', 'Certificate ends within a day'],
  },
  policy: {
    created: ['was created', 'created', 'Created by your account'],
    changed: ['was changed', 'changed', 'Changed by your account'],
    enabled: ['was enabled', 'enabled', 'Enabled by your account'],
    disabled: ['was disabled', 'disabled', 'Disabled by your account'],
    deleted: ['was deleted', 'deleted', 'Deleted by your account'],
  },
} as const satisfies Readonly<Record<EventKind, Readonly<Record<string, readonly [string, string, string]>>>>;

const NOUNS = {
  peer: ['Peer', 'Peers'],
  policy: ['Policy', 'Policies'],
} as const satisfies Readonly<Record<EventKind, readonly [one: string, many: string]>>;

/** Whether a value is a kind of event. */
export function isEventKind(value: unknown): value is EventKind {
  return typeof value === 'string' && Object.hasOwn(NOUNS, value);
}

const EVENT_KINDS = Object.keys(NOUNS).filter(isEventKind);

/** The notifications for these events: at most one of each kind. */
export function ownerNotices(events: readonly NetworkEvent[]): OwnerNotice[] {
  return EVENT_KINDS.flatMap((kind) => {
    const notice = noticeOf(
      kind,
      events.filter((event) => event.kind === kind),
    );
    return notice ? [notice] : [];
  });
}

interface Sentence {
  readonly words: readonly [one: string, many: string, sentence: string];
  readonly labels: readonly string[];
}

function noticeOf(kind: EventKind, events: readonly NetworkEvent[]): OwnerNotice | undefined {
  const sentences = Object.entries(WORDS[kind]).flatMap(([what, words]): Sentence[] => {
    const labels = events.filter((event) => event.what === what).map(({ label }) => label);
    return labels.length === 0 ? [] : [{ words, labels: [...new Set(labels)] }];
  });
  const [first] = sentences;
  if (!first) return undefined;
  const [noun, nouns] = NOUNS[kind];
  const isOne = sentences.length === 1 && first.labels.length === 1;
  const title = isOne
    ? `${noun} ${first.labels.join('')} ${first.words[0]}`
    : `${nouns}: ${sentences.map(({ words, labels }) => `${labels.length} ${words[1]}`).join(', ')}`;
  const isUrgent = events.some(({ what }) => what === 'ending');
  const text = sentences.map(({ words, labels }) => `${words[2]}: ${namesOf(labels)}.`).join(' ');
  return { kind, title, text, ...(isUrgent && { severity: 'warning' }) };
}

function namesOf(labels: readonly string[]): string {
  const names = labels.slice(0, MAX_NAMES).join(', ');
  return labels.length > MAX_NAMES ? `${names} and ${labels.length - MAX_NAMES} more` : names;
}
