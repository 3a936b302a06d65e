import { describe, expect, it } from '@jest/globals';
import { decrypt, encrypt, keyOf } from '../../../kernel/security/encryption.js';
import { openSecretBox } from '../../../kernel/security/secret-box.js';

/** Texts as databases keep them; a change of the format would lose all of them. */
const KEPT = {
  token: 'vwxGyW8DggfbUI2v1jCyMNQShClMk/+rZJfbAqrXA2/IFz9NAdwJT1O9L8VK',
  purpose: '1gdn9o0Ff0TjY9KSFtT7BxlNGmiiz9/Pw061ZnEpXwVu6RLpion0MMytOOaQNHwyY7A=',
};

describe('a text that is kept encrypted', () => {
  it('is read with the token that it was encrypted with', () => {
    const key = keyOf('arch_refresh_of_the_tests');
    expect(decrypt(key, Buffer.from(KEPT.token, 'base64'))).toBe('the successor ✓');
  });

  it('is read by the key of the platform and its purpose', async () => {
    const secretBox = await openSecretBox({ dataKeys: [Buffer.alloc(32, 7)], dataDir: '/nowhere' });
    expect(secretBox.open(KEPT.purpose, 'webhook:7')).toBe('whsec_of_the_tests ✓');
    expect(secretBox.derive('signing keys')).toBe('RqF64P0vXYQU6KA2VFnV8epVF7TE7_2dL3ihf8Re_G4');
  });

  it('cannot be read where the end of its tag is missing', () => {
    const key = keyOf('a token');
    const encrypted = encrypt(key, 'a text that is longer than its tag');
    expect(() => decrypt(key, encrypted.subarray(0, -1))).toThrow();
  });
});
