/** What the token of a peer begins with. */
export const PEER_TOKEN_PREFIX = 'arp_peer_';

/** What is known of a setup key that was presented. */
export interface PresentedKey {
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly expiresAt: Date;
  /** Null: the peer is gone. */
  readonly peer: number | null;
  /** With which its machine joined. */
  readonly publicKey: Buffer | null;
}

/**
 * What becomes of a setup key that is presented with a public key: it is used for the `first` time, `again` by the same
 * machine whose answer was lost, `taken` by another one, or `refused`. Source: private network, joining
 */
export function verdictOn(key: PresentedKey, publicKey: Buffer, now: Date): 'first' | 'again' | 'taken' | 'refused' {
  if (key.peer === null || key.revokedAt || key.expiresAt <= now) return 'refused';
  if (!key.usedAt) return 'first';
  return key.publicKey?.equals(publicKey) ? 'again' : 'taken';
}

/** The script that makes a machine join, for the platform at this address. */
export function fillScript(script: string, publicUrl: string): string {
  return script.replace('@PLATFORM@', () => `'${publicUrl.replaceAll("'", "'\\''")}'`);
}
