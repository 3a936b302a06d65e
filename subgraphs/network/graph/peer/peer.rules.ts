import { checkLine, hostWords } from '../../../../kernel/scalars/text.js';
import type { PeerStatus } from './peer.js';

/** Reserved addresses at the start of a range: the network, lighthouses, spare. Source: private network, peers */
export const RESERVED_ADDRESSES = 10;

/** A peer is live if its last report is at most this old, in milliseconds. */
export const LIVE_TIMEOUT_MS = 90_000;
/** Milliseconds within which a peer must apply a change. */
export const APPLY_TIMEOUT_MS = 60_000;

/** The reported state of a peer. */
export interface PeerState {
  readonly joinedAt: Date | null;
  readonly lastSeen: Date | null;
  /** The hash of the configuration that it must run, and when that changed. */
  readonly configHash: string | null;
  readonly configChangedAt: Date | null;
  /** The hash of the configuration that it reported. */
  readonly applied: string | null;
}

/** The status of a peer at this time. */
export function peerStatus(state: PeerState, now: Date): PeerStatus {
  if (!state.joinedAt) return 'never_seen';
  const sinceMs = (time: Date | null) => now.getTime() - (time?.getTime() ?? Number.NEGATIVE_INFINITY);
  if (sinceMs(state.lastSeen ?? state.joinedAt) > LIVE_TIMEOUT_MS) return 'stale';
  if (state.configHash !== null && state.applied === state.configHash) return 'in_force';
  return sinceMs(state.configChangedAt ?? state.joinedAt) > APPLY_TIMEOUT_MS ? 'stale' : 'applying';
}

/** Maximum characters of a peer's label. */
export const MAX_LABEL_CHARACTERS = 100;

/** Validates a label; null for none or an empty text. @throws BAD_REQUEST naming the field */
export function readLabel(label: string | null | undefined, field = 'label'): string | null {
  return label == null || label === '' ? null : checkLine(field, label, MAX_LABEL_CHARACTERS);
}

/** Maximum characters of a host name. Source: RFC 1035, 2.3.4 */
const MAX_HOST_NAME_CHARACTERS = 63;

/** The host name of a peer, derived from its label and made unique by its id. */
export function hostNameOf(label: string, id: number): string {
  const words = hostWords(label);
  const end = `-${id}`;
  if (words.endsWith(end) && words.length <= MAX_HOST_NAME_CHARACTERS) return words;
  const beginning = words.slice(0, MAX_HOST_NAME_CHARACTERS - end.length).replace(/-$/, '');
  return (beginning || 'vm') + end;
}
