import { hashToken, makeToken } from '../../../kernel/credentials.js';
import type { Database, Transaction } from '../../../kernel/database.js';
import type { Logger } from '../../../kernel/log.js';
import { joinCommand, maskKey, SETUP_KEY_PREFIX } from '../enrollment/enrollment.rules.js';

/** What carries private networks: our own overlay or a server elsewhere, which follows the graph by jobs of its own. */
export interface NetworkEngine {
  /** Makes a setup key good for 24 hours, before the peer is there. @throws UNAVAILABLE where it cannot be made now */
  makeKey(workshop: Workshop, wish: KeyWish): Promise<MadeKey>;
}

/** What it takes to make one. */
export interface Workshop {
  readonly database: Database;
  /** The address clients see, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Logger;
}

/** Whose machine is to join, and the group it begins in. */
export interface KeyWish {
  readonly tenantId: number;
  readonly groupId: number;
  readonly now: Date;
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
    });
  },
};
