import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text by AES-256-GCM; returns nonce, ciphertext and tag. @param key 32 bytes
 * @param purpose authenticated context, e.g. `webhook:<id>`; decryption needs the same
 */
export function encrypt(key: Buffer, text: string, purpose = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts the result of `encrypt`. @throws for another key or purpose, and for modified bytes */
export function decrypt(key: Buffer, encrypted: Buffer, purpose = ''): string {
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(encrypted.subarray(-TAG_BYTES));
  const body = encrypted.subarray(NONCE_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

/** Derives a key from a secret, such as a token. @param secret at least 256 random bits */
export function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'archipelago sealing', 32));
}
