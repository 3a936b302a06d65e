import type { MeasureOptions } from './compare.js';
import { LARGE_NETWORK, type Scale as NetworkScale } from './network/dataset.js';

const MIB = 2 ** 20;

/** Dataset sizes and measurement times. */
export type Scale = MeasureOptions & Readonly<Record<keyof typeof DATA, number>> & { readonly network: NetworkScale };

const DATA = {
  /** Warm starts. */
  starts: 5,
  settleMs: 20_000,
  idleMs: 60_000,
  /** Users with twenty sockets each. */
  users: 50,
  /** Chunks of a round. */
  chunks: 32,
  fileBytes: 1024 * MIB,
  transactions: 100_000,
  /** Repositories of five models each. */
  repositories: 20_000,
  files: 1_000_000,
  /** Units of each kind for docs/capacity.md. */
  units: 500,
};

export const NORMAL: Scale = { roundMs: 1_000, rounds: 5, parallel: 16, network: LARGE_NETWORK, ...DATA };

/** Smoke run with minimal work; not a measurement. */
export const QUICK: Scale = {
  roundMs: 0,
  rounds: 1,
  parallel: 2,
  starts: 1,
  settleMs: 0,
  idleMs: 100,
  users: 2,
  chunks: 2,
  fileBytes: 16 * MIB,
  transactions: 1_000,
  repositories: 1_000,
  files: 1_000,
  units: 2,
  network: { peers: 50, groups: 10, policies: 10, resources: 5, routers: 2 },
};
