import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../kernel/config/environment.js';
import { platformConfig } from '../../kit/config.js';

describe('a variable that is kept in a file', () => {
  let folder: string;
  const write = async (content: string) => {
    await writeFile(join(folder, 'secret'), content, { mode: 0o600 });
    return join(folder, 'secret');
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archipelago-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('may be keys of the store and of the collector', async () => {
    const settings = {
      BLOB_URL: 's3://bucket',
      AWS_ACCESS_KEY_ID: 'the-id',
      AWS_SECRET_ACCESS_KEY_FILE: await write('the-key\n'),
    };
    const credentials = { accessKeyId: 'the-id', secretAccessKey: 'the-key' };
    expect(platformConfig(settings)).toMatchObject({
      sync: { blobStore: { credentials } },
      infrastructure: { objectStore: { credentials } },
    });
    const file = await write('api-key=the%20secret,x-tenant = a=b\n');
    const { tracesHeaders } = platformConfig({ OTEL_EXPORTER_OTLP_HEADERS_FILE: file });
    expect(tracesHeaders).toEqual({ 'api-key': 'the secret', 'x-tenant': 'a=b' });
  });

  it.each(['secret', 'api key=secret', 'api-key=%zz', 'api-key=%ff'])(
    'is refused as headers of a collector if it is %s, and not repeated',
    (headers) => {
      const message = 'OTEL_EXPORTER_OTLP_HEADERS must be names and values, as api-key=secret,name=value.';
      expect(() => platformConfig({ OTEL_EXPORTER_OTLP_HEADERS: headers })).toThrow(message);
    },
  );

  it('is read from the path that its name with _FILE gives, without the line break at the end', async () => {
    const config = platformConfig({ ADMIN_TOKEN_FILE: await write('the-admin-token-of-a-file\n') });
    expect(config.adminToken).toBe('the-admin-token-of-a-file');
  });

  it('may be a list', async () => {
    const config = platformConfig({ SUBGRAPH_SECRET_FILE: await write('sixteen-letters!,the-secret-before\n') });
    expect(config.subgraphSecrets).toEqual(['sixteen-letters!', 'the-secret-before']);
  });

  it('is unset when the path is blank', () => {
    expect(platformConfig({ ADMIN_TOKEN_FILE: '' }).adminToken).toBeUndefined();
  });

  it('is refused when the file cannot be read, by a line that names the variable and the file', () => {
    expect(() => platformConfig({ DATA_KEY_FILE: '/nowhere/data-key' })).toThrow(
      new ConfigError('DATA_KEY_FILE names /nowhere/data-key, which cannot be read (ENOENT).'),
    );
  });

  it('is refused when the file is empty, as a secret that was not written', async () => {
    const file = await write('\n');
    expect(() => platformConfig({ ADMIN_TOKEN_FILE: file })).toThrow(
      new ConfigError(`ADMIN_TOKEN_FILE names ${file}, which is empty.`),
    );
  });

  it('is refused when the variable is set too', async () => {
    const env = { ADMIN_TOKEN: 'hunter2', ADMIN_TOKEN_FILE: await write('hunter2') };
    expect(() => platformConfig(env)).toThrow(new ConfigError('Set ADMIN_TOKEN or ADMIN_TOKEN_FILE, not both.'));
  });
});
