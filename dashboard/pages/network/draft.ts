import type { PolicyModel } from '../../topology/model';

/** A policy as it is being written. */
export interface Draft {
  /** The policy to change; missing for a new one. */
  readonly id?: number;
  readonly source: number;
  readonly dest: number;
  readonly action: 'accept' | 'drop';
  readonly protocol: 'all' | 'tcp' | 'udp' | 'icmp';
  readonly ports: string;
  readonly bidirectional: boolean;
}

/** The draft of a new policy. */
export function newDraft(source: number, dest: number): Draft {
  return { source, dest, action: 'accept', protocol: 'tcp', ports: '443', bidirectional: false };
}

/** The draft of a change of a policy. */
export function draftOf({ policyId, edge: { meta } }: PolicyModel, source: number, dest: number): Draft {
  return {
    id: policyId,
    source,
    dest,
    action: meta.action ?? 'accept',
    protocol: meta.protocol ?? 'all',
    ports: (meta.ports ?? []).join(', '),
    bidirectional: meta.bidirectional ?? true,
  };
}
