/** Lifetime of an unused setup key. Source: private network, enrollment */
export const SETUP_KEY_TTL_MS = 24 * 60 * 60_000;

/** Prefix of a setup key. */
export const SETUP_KEY_PREFIX = 'arp_join_';

/** Masks the key so that its owner can recognize it. */
export function maskKey(key: string): string {
  return `${SETUP_KEY_PREFIX}…${key.slice(-4)}`;
}

/** Returns the shell command that joins a machine. @param publicUrl the address that clients see, without a trailing slash */
export function joinCommand(publicUrl: string, key: string): string {
  return `curl -fsSL ${publicUrl}/network/join.sh | sh -s -- ${key}`;
}
