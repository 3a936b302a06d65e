import { badRequest } from '../../../../kernel/errors.js';
import type { PolicyAction, Protocol } from './policy.js';

/** The fields of a policy that the caller may set. Omitted fields keep their values or get the default. */
export interface PolicyInput {
  readonly name?: string | null;
  readonly sourceGroupId?: number | null;
  readonly destGroupId?: number | null;
  readonly protocol?: Protocol | null;
  readonly ports?: readonly string[] | null;
  readonly bidirectional?: boolean | null;
  readonly action?: PolicyAction | null;
  readonly enabled?: boolean | null;
}

/** The part of a policy that decides about traffic, complete. */
export interface PolicySpec {
  readonly protocol: Protocol;
  readonly ports: readonly string[];
  readonly bidirectional: boolean;
  readonly action: PolicyAction;
  readonly enabled: boolean;
}

/** Defaults of a new policy. */
export const DEFAULT_TERMS: PolicySpec = {
  protocol: 'all',
  ports: [],
  bidirectional: true,
  action: 'accept',
  enabled: true,
};

const MAX_PORTS = 100;

/** The terms after the change. Ports are removed with protocol `all`. @throws BAD_REQUEST for invalid ports */
export function applyPolicyInput(before: PolicySpec, input: PolicyInput): PolicySpec {
  const protocol = input.protocol ?? before.protocol;
  const ports = portsAfter(protocol, before.ports, input.ports);
  if (protocol === 'icmp' && ports.length > 0) throw badRequest('`ports` cannot be used with `icmp`; omit it.');
  if (ports.length > MAX_PORTS) throw badRequest(`\`ports\` may list at most ${MAX_PORTS} ports or ranges.`);
  return {
    protocol,
    ports: [...new Set(ports.map(checkPort))],
    bidirectional: input.bidirectional ?? before.bidirectional,
    action: input.action ?? before.action,
    enabled: input.enabled ?? before.enabled,
  };
}

function portsAfter(protocol: Protocol, before: readonly string[], wished: PolicyInput['ports']): readonly string[] {
  if (protocol === 'all') return [];
  // A change to icmp removes the existing ports; ports in the same input are refused.
  return wished ?? (protocol === 'icmp' ? [] : before);
}

/** Normalizes a port or a range. @throws BAD_REQUEST */
function checkPort(text: string): string {
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text.trim());
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  if (!match || first < 1 || last > 65_535 || first > last) {
    throw badRequest('Each of `ports` must be a port from 1 to 65535, like `80`, or a range, like `8000-8100`.');
  }
  return first === last ? `${first}` : `${first}-${last}`;
}
