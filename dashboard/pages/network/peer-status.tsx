import { Status, type Tone } from '../../components/badge';
import type { GraphNode } from '../../topology/graph';

type PeerStatus = NonNullable<GraphNode['meta']['status']>;

/** What the state of a peer means. */
export const STATUS: Readonly<Record<PeerStatus, { readonly tone: Tone; readonly words: string }>> = {
  in_force: { tone: 'good', words: 'up to date' },
  applying: { tone: 'info', words: 'applying' },
  stale: { tone: 'warn', words: 'not seen lately' },
  never_seen: { tone: 'hollow', words: 'never joined' },
};

/** The state of a peer, as a dot and words. */
export function PeerStatusMark({ status }: { readonly status: PeerStatus | null }) {
  const { tone, words } = STATUS[status ?? 'never_seen'];
  return <Status tone={tone}>{words}</Status>;
}
