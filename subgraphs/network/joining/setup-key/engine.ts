import { hashToken, makeToken } from '../../../../kernel/security/credentials.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import { joinCommand, maskKey, SETUP_KEY_PREFIX } from './setup-key.rules.js';

/** The engine of private networks: our own overlay, or an external server that background jobs update. */
export interface NetworkEngine {
  /**
   * Makes a setup key good for 24 hours, before the peer is there. @param where looked up only where it is needed before
   * the change @throws UNAVAILABLE where the key cannot be made now, and what `where` throws
   */
  makeKey(workshop: DriverDependencies, where: () => Promise<KeyPlace>): Promise<MadeKey>;
}

/** The dependencies of an engine. */
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
  /** The existing peer of the key; undefined to create one. */
  readonly peerId?: number;
}

/** A setup key as its owner, its machine and the table are given it. */
export interface MadeKey {
  /** The peer that it was made for; undefined: any. */
  readonly peerId: number | undefined;
  readonly setupKey: string;
  /** One line. */
  readonly joinCommand: string;
  /** The hash that identifies the key when a machine joins. */
  readonly hash: string;
  /** The masked key that its owner can recognize. */
  readonly masked: string;
  /** Stores what the engine needs to know, in the enrollment's transaction. */
  readonly keep: (transaction: Transaction) => Promise<void>;
  /** Cleans up after a failed enrollment. */
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
