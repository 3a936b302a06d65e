/** Prefix of a peer token. */
export const PEER_TOKEN_PREFIX = 'arp_peer_';

/** The state of a presented setup key. */
export interface PresentedKey {
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly expiresAt: Date;
  /** Null: the peer was deleted. */
  readonly peer: number | null;
  /** The public key with which its machine joined. */
  readonly publicKey: Buffer | null;
}

/**
 * Decides on a setup key presented with a public key: `first` use, used `again` by the same machine after a lost response,
 * `taken` by another machine, or `refused`.
 */
export function keyUse(key: PresentedKey, publicKey: Buffer, now: Date): 'first' | 'again' | 'taken' | 'refused' {
  if (key.peer === null || key.revokedAt || key.expiresAt <= now) return 'refused';
  if (!key.usedAt) return 'first';
  return key.publicKey?.equals(publicKey) ? 'again' : 'taken';
}

/** Returns the join script with the address of the platform filled in. */
export function fillScript(script: string, publicUrl: string): string {
  return script.replace('@PLATFORM@', () => `'${publicUrl.replaceAll("'", "'\\''")}'`);
}
