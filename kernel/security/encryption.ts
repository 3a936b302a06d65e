import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text with a key of 32 bytes: the nonce, the ciphertext and the tag of AES-256-GCM.
 * @param purpose where the text belongs, e.g. `webhook:<id>`: elsewhere it cannot be decrypted
 */
export function encrypt(key: Buffer, text: string, purpose = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** @throws when the text was encrypted with another key or for another purpose, or was changed since */
export function decrypt(key: Buffer, encrypted: Buffer, purpose = ''): string {
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(encrypted.subarray(-TAG_BYTES));
  const body = encrypted.subarray(NONCE_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

/** The key made of a secret, such as a token. @param secret at least 256 random bits */
export function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'archipelago sealing', 32));
}
