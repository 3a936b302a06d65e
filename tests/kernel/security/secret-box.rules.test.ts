import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../kernel/config/environment.js';
import { openSecretBox, type SecretBox } from '../../../kernel/security/secret-box.js';

let dataDir: string;
let secretBox: SecretBox;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  secretBox = await openSecretBox({ dataDir, dataKeys: [] });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('a sealed secret', () => {
  it.each(['', 'whsec_abc', 'Zürich 🏝', 'x'.repeat(10_000)])('is opened as it was', (secret) => {
    expect(secretBox.open(secretBox.seal(secret, 'a'), 'a')).toBe(secret);
  });

  it('is never the same text twice', () => {
    expect(secretBox.seal('secret', 'a')).not.toBe(secretBox.seal('secret', 'a'));
  });

  it('cannot be opened for another purpose', () => {
    expect(() => secretBox.open(secretBox.seal('secret', 'a'), 'b')).toThrow();
  });

  it('cannot be opened by another key', async () => {
    const other = await openSecretBox({ dataDir, dataKeys: [Buffer.alloc(32)] });
    expect(() => other.open(secretBox.seal('secret', 'a'), 'a')).toThrow();
  });

  it.each([0, 12, -1])('cannot be opened when its byte at %i is another', (index) => {
    const bytes = Buffer.from(secretBox.seal('secret', 'a'), 'base64');
    const place = (index + bytes.length) % bytes.length;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    expect(() => secretBox.open(bytes.toString('base64'), 'a')).toThrow();
  });

  it.each(['', 'AAAA', 'no base64 at all'])('is not %j', (text) => {
    expect(() => secretBox.open(text, 'a')).toThrow();
  });
});

describe('the key', () => {
  it('is kept for its owner only', async () => {
    expect(((await stat(join(dataDir, 'data-key'))).mode & 0o777).toString(8)).toBe('600');
  });

  it('is the same after a restart', async () => {
    const again = await openSecretBox({ dataDir, dataKeys: [] });
    expect(again.open(secretBox.seal('secret', 'a'), 'a')).toBe('secret');
  });

  it('is one when twenty processes make it at once', async () => {
    const folder = join(dataDir, 'fresh');
    const sealers = await Promise.all(
      Array.from({ length: 20 }, () => openSecretBox({ dataDir: folder, dataKeys: [] })),
    );
    const sealed = sealers.map((one) => one.seal('secret', 'a'));
    expect(sealed.map((text) => sealers[0]?.open(text, 'a'))).toEqual(sealed.map(() => 'secret'));
    expect(await readdir(folder)).toEqual(['data-key']);
  });

  it('is refused when its file holds something else', async () => {
    const folder = await mkdtemp(join(dataDir, 'bad-'));
    await writeFile(join(folder, 'data-key'), 'nonsense\n');
    await expect(openSecretBox({ dataDir: folder, dataKeys: [] })).rejects.toThrow(ConfigError);
  });
});
