import { hashToken, makeToken } from '../../../../kernel/security/credentials.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import { joinCommand, maskKey, SETUP_KEY_PREFIX } from './setup-key.rules.js';

/** What carries private networks: our own overlay or a server elsewhere, which follows the graph by jobs of its own. */
export interface NetworkEngine {
  /**
   * Makes a setup key good for 24 hours, before the peer is there. @param where looked up only where it is needed before
   * the change @throws UNAVAILABLE where the key cannot be made now, and what `where` throws
   */
  makeKey(workshop: DriverDependencies, where: () => Promise<KeyPlace>): Promise<MadeKey>;
}

/** What it takes to make one. */
export interface DriverDependencies {
  readonly database: Database;
  /** The address clients see, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Whose machine is to join, and the group it begins in. */
export interface KeyPlace {
  readonly tenantId: number;
  readonly groupId: number;
  /** The peer that the machine is to be; undefined: one that is made with it. */
  readonly peerId?: number;
}

/** A setup key as its owner, its machine and the table are given it. */
export interface MadeKey {
  /** The peer that it was made for; undefined: any. */
  readonly peerId: number | undefined;
  readonly setupKey: string;
  /** One line. */
  readonly joinCommand: string;
  /** By which our own joining knows the key. */
  readonly hash: string;
  /** By which its owner knows it again. */
  readonly masked: string;
  /** Writes down within the enrollment's change what the engine needs to know of it. */
  readonly keep: (transaction: Transaction) => Promise<void>;
  /** There was no enrollment after all. */
  readonly abandon: () => Promise<void>;
}

/** Our own overlay. */
export const NEBULA_ENGINE: NetworkEngine = {
  makeKey({ publicUrl }) {
    const setupKey = makeToken(SETUP_KEY_PREFIX);
    return Promise.resolve({
      peerId: undefined,
      setupKey,
      joinCommand: joinCommand(publicUrl, setupKey),
      hash: hashToken(setupKey),
      masked: maskKey(setupKey),
      keep: () => Promise.resolve(),
      abandon: () => Promise.resolve(),
    });
  },
};
