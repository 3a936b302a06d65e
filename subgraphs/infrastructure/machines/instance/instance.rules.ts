import { createHash } from 'node:crypto';
import { badRequest } from '../../../../kernel/errors.js';
import { hostWords, isLine, uuidOf } from '../../../../kernel/scalars/text.js';
import type { Observation } from '../provider/provider.js';
import type { InstanceState, DesiredState } from './instance.js';

/** Allowed state transitions. */
export const TRANSITIONS = {
  pending: ['spawning', 'terminating', 'failed'],
  spawning: ['running', 'terminating', 'failed'],
  running: ['stopping', 'stopped', 'rebooting', 'terminating', 'failed'],
  stopping: ['stopped', 'terminating'],
  stopped: ['starting', 'stopping', 'terminating', 'failed'],
  starting: ['running', 'stopped', 'terminating'],
  rebooting: ['running', 'stopping', 'stopped', 'terminating'],
  terminating: ['terminated'],
  terminated: [],
  failed: ['stopping', 'stopped', 'terminating'],
} as const satisfies Record<InstanceState, readonly InstanceState[]>;

/** The states from which a machine may change to this one. */
export function statesBefore(to: InstanceState): InstanceState[] {
  return (Object.keys(TRANSITIONS) as InstanceState[]).filter((from) =>
    (TRANSITIONS[from] as readonly string[]).includes(to),
  );
}

interface CommandRule {
  /** Required current state; undefined: any state that TRANSITIONS allows. */
  readonly from?: InstanceState;
  readonly via: InstanceState;
  readonly desired: DesiredState;
}

/** Commands of the owner. */
export const COMMANDS = {
  start: { from: 'stopped', via: 'starting', desired: 'running' },
  stop: { from: 'running', via: 'stopping', desired: 'stopped' },
  reboot: { from: 'running', via: 'rebooting', desired: 'running' },
  terminate: { via: 'terminating', desired: 'terminated' },
} as const satisfies Record<string, CommandRule>;
export type Command = keyof typeof COMMANDS;

/** States charged at the price of running. */
const COSTING: ReadonlySet<InstanceState> = new Set(['running', 'rebooting']);
/** States for which credits are held. */
const COVERED: ReadonlySet<InstanceState> = new Set(['pending', 'spawning', 'starting', 'running', 'rebooting']);

/** States charged at the price of stopped machines: from a stop until it runs again. */
const KEPT: ReadonlySet<InstanceState> = new Set(['stopping', 'stopped', 'starting']);

/** Whether seconds in this state are charged at the price of stopped machines. */
export function isKept(state: InstanceState): boolean {
  return KEPT.has(state);
}

/** Whether seconds in this state are charged at the price of running. */
export function isCosting(state: InstanceState): boolean {
  return COSTING.has(state);
}

/** Whether credits are held in this state. */
export function isCovered(state: InstanceState): boolean {
  return COVERED.has(state);
}

interface Step {
  readonly command: 'create' | 'start' | 'stop' | 'reboot' | 'destroy';
  readonly until: readonly Observation['state'][];
  readonly to: InstanceState;
  /** The state when the host cannot complete the command; omitted: it is repeated until it is complete. */
  readonly otherwise?: InstanceState;
  /** Verb for error messages. */
  readonly doing: string;
}

/** For each transitional state: the command for the host and the observations that end it. */
export const STEPS = {
  spawning: { command: 'create', until: ['running'], to: 'running', otherwise: 'failed', doing: 'create' },
  starting: { command: 'start', until: ['running'], to: 'running', otherwise: 'stopped', doing: 'start' },
  stopping: { command: 'stop', until: ['stopped', 'gone'], to: 'stopped', doing: 'stop' },
  // The watch finds out whether it runs.
  rebooting: { command: 'reboot', until: ['running'], to: 'running', otherwise: 'running', doing: 'reboot' },
  terminating: { command: 'destroy', until: ['gone'], to: 'terminated', doing: 'terminate' },
} as const satisfies Partial<Record<InstanceState, Step>>;

/** The step of a transitional state; undefined for a stable one. */
export function stepOf(state: InstanceState): Step | undefined {
  return (STEPS as Partial<Record<InstanceState, Step>>)[state];
}

/** Attempts at a step before it is given up, if it can be. */
export const MAX_ATTEMPTS = 5;

/** Trims a name; null when empty. @throws BAD_REQUEST for control characters and for more than 63 characters */
export function readName(text: string | null): string | null {
  const name = text?.trim() ?? '';
  if ([...name].length > 63 || !isLine(name))
    throw badRequest('`name` must have at most 63 characters, none of them a control character.');
  return name === '' ? null : name;
}

/** The host name: the letters, digits and dashes of the name. */
export function hostNameOf(name: string, id: number): string {
  return hostWords(name).slice(0, 63).replace(/-$/, '') || `vm-${id}`;
}

/** Validates an idempotency key. @throws BAD_REQUEST */
export function checkIdempotencyKey(key: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw badRequest('The idempotency key must have 1 to 255 printable ASCII characters.');
  }
}

/** Parses the id in a path: a numeric id or a uuid; both null when it is neither. */
export function instanceKey(id: string): { readonly id: number | null; readonly uuid: string | null } {
  const number = /^\d{1,10}$/.test(id) ? Number(id) : Number.NaN;
  return { id: number <= 2 ** 31 - 1 ? number : null, uuid: uuidOf(id) };
}

/** Derives the uuid from the user and the idempotency key, so that a repeated attempt finds the first one. Source: RFC 9562, 5.8 */
export function uuidForKey(userId: number, key: string): string {
  const hex = createHash('sha256').update(`vm ${userId} ${key}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
