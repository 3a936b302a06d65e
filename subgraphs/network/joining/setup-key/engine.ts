import { hashToken, makeToken } from '../../../../kernel/security/credentials.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import { joinCommand, maskKey, SETUP_KEY_PREFIX } from './setup-key.rules.js';

/** The engine of private networks: our own overlay, or an external server that background jobs update. */
export interface NetworkEngine {
  /**
   * Creates a setup key, valid for 24 hours, before the peer exists. @param where called only if the engine needs it
   * @throws UNAVAILABLE if the key cannot be created now, and what `where` throws
   */
  makeKey(dependencies: DriverDependencies, where: () => Promise<KeyPlace>): Promise<MadeKey>;
}

/** The dependencies of an engine. */
export interface DriverDependencies {
  readonly database: Database;
  /** The address that clients see, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Logger;
  readonly now: () => Date;
}

/** The tenant of the machine and its first group. */
export interface KeyPlace {
  readonly tenantId: number;
  readonly groupId: number;
  /** The existing peer of the key; undefined to create one. */
  readonly peerId?: number;
}

/** A new setup key, in the forms for its owner, its machine and the database. */
export interface MadeKey {
  /** The peer of the key; undefined: any. */
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
