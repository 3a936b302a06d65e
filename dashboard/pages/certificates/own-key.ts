/** An x25519 key pair that was made in this browser. */
export interface OwnKey {
  /** 32 bytes in base64. */
  readonly publicKey: string;
  /** PEM as written by `nebula-cert keygen`. */
  readonly privatePem: string;
}

/** Makes a key pair, or returns undefined in browsers that cannot. */
export async function newOwnKey(): Promise<OwnKey | undefined> {
  try {
    const pair = await crypto.subtle.generateKey('X25519', true, ['deriveBits']);
    if (!('privateKey' in pair)) return undefined;
    const { d = '', x = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey);
    const secret = base64(d);
    const privatePem = `-----BEGIN NEBULA X25519 PRIVATE KEY-----\n${secret}\n-----END NEBULA X25519 PRIVATE KEY-----\n`;
    return { publicKey: base64(x), privatePem };
  } catch {
    return undefined;
  }
}

/** Turns base64url without padding into base64. */
function base64(text: string): string {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/');
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, '=');
}
