import { describe, expect, it } from '@jest/globals';
import { ConfigError, type Environment } from '../../../kernel/config/environment.js';
import { platformConfig } from '../../kit/config.js';

const PROXMOX = {
  VM_PROVIDER: 'proxmox',
  PROXMOX_URL: 'https://pve.example:8006/',
  PROXMOX_TOKEN: 'cloud@pve!archipelago=5f1f24ff-5a4e-4a2c-9a45-0d3f8a3f2f11',
  PROXMOX_NODE: 'pve',
} as const;

/** What is said of an environment that is refused. */
function linesOf(env: Environment): string[] {
  try {
    platformConfig(env);
  } catch (error) {
    return error instanceof ConfigError ? error.message.split('\n') : ['another error'];
  }
  return [];
}

describe('the environment', () => {
  it('may be empty', () => {
    expect(platformConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: undefined,
      databaseUrl: undefined,
      subgraphSecrets: [],
      ratePerUser: 20_000,
      ratePerAddress: 40_000,
    });
  });

  it('takes blank variables for unset', () => {
    expect(platformConfig({ PORT: ' ', DATABASE_URL: '', SUBGRAPHS: ' , ' })).toEqual(platformConfig({}));
  });

  it.each([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65_535 }],
    [{ PUBLIC_URL: 'https://cloud.example/' }, { publicUrl: 'https://cloud.example' }],
    [{ DATABASE_URL: 'postgres://u:p@h/d' }, { databaseUrl: 'postgres://u:p@h/d' }],
    [{ DATABASE_URL: 'postgresql://h/d' }, { databaseUrl: 'postgresql://h/d' }],
    [{ DATABASE_URL: 'postgres://h/d', DATABASE_POOL_URL: 'postgres://p/d' }, { databasePoolUrl: 'postgres://p/d' }],
    [
      { DATABASE_URL: 'postgres://h/d', DATABASE_REPLICA_URL: 'postgres://r/d' },
      { databaseReplicaUrl: 'postgres://r/d' },
    ],
    [{ DATABASE_POOL_SIZE: '8' }, { databasePoolSize: 8 }],
    [{ DATA_KEY: Buffer.alloc(32, 7).toString('base64') }, { dataKeys: [Buffer.alloc(32, 7)] }],
    [{ NODE_ENV: 'production' }, { accounts: { payments: { processor: 'off' } } }],
    [{}, { sync: { blobStore: undefined } }],
    [{}, { infrastructure: { objectStore: undefined } }],
    [{}, { infrastructure: { machines: { provider: 'simulated' } } }],
    [
      { VM_PROVIDER: 'qemu', DATA_DIR: '/data', VM_NETWORK: 'open' },
      {
        infrastructure: {
          machines: { provider: 'qemu', machines: '/data/vms', images: '/data/images', mayGoOut: true },
        },
      },
    ],
    [
      { VM_PROVIDER: 'qemu', VM_IMAGES: '/srv/images' },
      { infrastructure: { machines: { images: '/srv/images', mayGoOut: false } } },
    ],
    [
      PROXMOX,
      {
        infrastructure: {
          machines: { provider: 'proxmox', url: 'https://pve.example:8006', node: 'pve', fingerprint: undefined },
        },
      },
    ],
    [
      { BLOB_URL: 's3://bucket' },
      { sync: { blobStore: { bucket: 'bucket', prefix: '', endpoint: undefined, region: 'us-east-1' } } },
    ],
    [
      { BLOB_URL: 's3://bucket/a/b/?endpoint=http://h:9&region=eu', AWS_REGION: 'us' },
      { sync: { blobStore: { bucket: 'bucket', prefix: 'a/b/', endpoint: 'http://h:9', region: 'eu' } } },
    ],
    [{ BLOB_URL: 's3://bucket', AWS_REGION: 'eu' }, { infrastructure: { objectStore: { region: 'eu' } } }],
    [{ SUBGRAPH_SECRET: 'new, old' }, { subgraphSecrets: ['new', 'old'] }],
    [{ SUBGRAPH_SECRET: 'two words,grün' }, { subgraphSecrets: ['two words', 'grün'] }],
    [{ RATE_PER_USER: '0' }, { ratePerUser: 0 }],
    [{ TELEMETRY: 'off' }, { tracesUrl: undefined, tracesDelayMs: 1_000 }],
    [{ OTEL_BSP_SCHEDULE_DELAY: '5000' }, { tracesDelayMs: 5_000 }],
    [{ TELEMETRY: 'http://h:4318' }, { tracesUrl: 'http://h:4318/v1/traces' }],
    [{ TELEMETRY: 'https://h/otlp/' }, { tracesUrl: 'https://h/otlp/v1/traces' }],
    [{ TELEMETRY: 'http://h:4318/v1/traces' }, { tracesUrl: 'http://h:4318/v1/traces' }],
    [{ SUBGRAPHS: 'sync=http://h:1', SUBGRAPH_SECRET: 's' }, { subgraphUrls: new Map([['sync', 'http://h:1']]) }],
  ])('%j is read', (env, expected) => {
    expect(platformConfig(env)).toMatchObject(expected);
  });
});

describe('a bad variable', () => {
  it.each([
    [{ PORT: 'abc' }, 'PORT'],
    [{ DATA_KEY: 'short' }, 'DATA_KEY'],
    [{ PORT: '-1' }, 'PORT'],
    [{ PORT: '65536' }, 'PORT'],
    [{ PORT: '80.5' }, 'PORT'],
    [{ PORT: '0x50' }, 'PORT'],
    [{ PUBLIC_URL: 'localhost:4000' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'ftp://h' }, 'PUBLIC_URL'],
    [{ DATABASE_URL: 'mysql://h/d' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'nonsense' }, 'DATABASE_URL'],
    [{ DATABASE_REPLICA_URL: 'postgres://h/d' }, 'DATABASE_REPLICA_URL'],
    [{ DATABASE_POOL_SIZE: '7' }, 'DATABASE_POOL_SIZE'],
    [{ SUBGRAPHS: 'foo=http://h' }, 'SUBGRAPHS'],
    [{ SUBGRAPHS: 'accounts' }, 'SUBGRAPHS'],
    [{ SUBGRAPHS: 'accounts=h:1' }, 'SUBGRAPHS'],
    [{ SUBGRAPHS: 'accounts=http://h:1' }, 'SUBGRAPH_SECRET'],
    [{ SUBGRAPHS: 'accounts=http://h:1,sync=http://h:2,accounts=http://h:3', SUBGRAPH_SECRET: 's' }, 'SUBGRAPHS'],
    [{ SUBGRAPH_SECRET: 'new,geheim€' }, 'SUBGRAPH_SECRET'],
    [{ SUBGRAPH_SECRET: 'two\nlines' }, 'SUBGRAPH_SECRET'],
    [{ ADMIN_TOKEN: 'two words and a blank' }, 'ADMIN_TOKEN'],
    [{ RATE_PER_USER: '-1' }, 'RATE_PER_USER'],
    [{ RATE_PER_ADDRESS: 'off' }, 'RATE_PER_ADDRESS'],
    [{ METRICS_TOKEN: 'fifteen-letters' }, 'METRICS_TOKEN'],
    [{ METRICS_TOKEN: 'sixteen-letters!,x' }, 'METRICS_TOKEN'],
    [{ BILLING_BYPASS_SECRET: 'fifteen-letters' }, 'BILLING_BYPASS_SECRET'],
    [{ BILLING_BYPASS_SECRET: 'sixteen letters and a blank' }, 'BILLING_BYPASS_SECRET'],
    [{ ADMIN_TOKEN: 'schlüssel' }, 'ADMIN_TOKEN'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ TELEMETRY: 'on' }, 'TELEMETRY'],
    [{ OTEL_BSP_SCHEDULE_DELAY: '0' }, 'OTEL_BSP_SCHEDULE_DELAY'],
    [{ TELEMETRY: 'collector:4318' }, 'TELEMETRY'],
    [{ TELEMETRY: 'http://key@h:4318' }, 'TELEMETRY'],
    [{ TELEMETRY: 'http://h:4318?key=k' }, 'TELEMETRY'],
    [{ BLOB_URL: 'https://h/bucket' }, 'BLOB_URL'],
    [{ BLOB_URL: 's3://' }, 'BLOB_URL'],
    [{ BLOB_URL: 's3://k:s@bucket' }, 'BLOB_URL'],
    [{ BLOB_URL: 's3://bucket?zone=eu' }, 'BLOB_URL'],
    [{ BLOB_URL: 's3://bucket?endpoint=h:9' }, 'BLOB_URL'],
    [{ VM_PROVIDER: 'vmware' }, 'VM_PROVIDER'],
    [{ VM_PROVIDER: 'qemu', VM_NETWORK: 'half' }, 'VM_NETWORK'],
    [{ ...PROXMOX, PROXMOX_URL: '' }, 'PROXMOX_URL'],
    [{ ...PROXMOX, PROXMOX_TOKEN: '' }, 'PROXMOX_TOKEN'],
    [{ ...PROXMOX, PROXMOX_URL: 'http://pve:8006' }, 'PROXMOX_URL'],
    [{ ...PROXMOX, PROXMOX_TOKEN: 'root@pam' }, 'PROXMOX_TOKEN'],
    [{ ...PROXMOX, PROXMOX_NODE: 'a/b' }, 'PROXMOX_NODE'],
    [{ ...PROXMOX, PROXMOX_FINGERPRINT: '36:92' }, 'PROXMOX_FINGERPRINT'],
  ])('%j is one line that names %s', (env, name) => {
    expect(linesOf(env)).toEqual([expect.stringMatching(new RegExp(`\\b${name}\\b`))]);
  });

  it('is one line of the list of all that are at fault, also of one group', () => {
    const env = {
      PORT: 'abc',
      SUBGRAPHS: 'sync=h:1',
      BLOB_URL: 's3://k:s@bucket?zone=eu',
      PAYPROC: 'stripe',
      PAYPROC_LABEL: 'Card',
      OIDC_A_ISSUER: 'http://id.example',
      OIDC_A_CLIENT_SECRET_FILE: '/nowhere/secret',
      VM_PROVIDER: 'proxmox',
      PROXMOX_NODE: 'a/b',
      LIGHTHOUSE_PORT: '0',
      LIGHTHOUSE_NUMBER: '2',
    };
    expect(linesOf(env)).toEqual([
      'PORT is "abc"; it must be a number from 0 to 65535.',
      'SUBGRAPHS gives "h:1" for sync; write sync=http://host:port.',
      'PAYPROC_LABEL must be 1 to 20 lower-case letters.',
      'PAYPROC is "stripe": set PAYPROC_SECRET_KEY and PAYPROC_WEBHOOK_SECRET too.',
      'OIDC_A_ISSUER must start with https://; http:// is for an issuer on this machine only.',
      'OIDC_A_CLIENT_ID must be set, as the issuer is.',
      'OIDC_A_CLIENT_SECRET_FILE names /nowhere/secret, which cannot be read (ENOENT).',
      'BLOB_URL must not contain keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
      'PROXMOX_URL must be set: VM_PROVIDER is "proxmox".',
      'PROXMOX_TOKEN must be set: VM_PROVIDER is "proxmox".',
      'PROXMOX_NODE must be the name of a node: letters, digits and dashes.',
      'LIGHTHOUSE_PORT is "0"; it must be a number from 1 to 65535.',
      'LIGHTHOUSE_NUMBER is "2"; LIGHTHOUSES names 0, so it must be at most 1.',
    ]);
  });

  it('never repeats a token of Proxmox', () => {
    expect(() => platformConfig({ ...PROXMOX, PROXMOX_TOKEN: 'hunter2' })).not.toThrow(/hunter2/);
  });

  it.each(['DATABASE_URL', 'PUBLIC_URL', 'BLOB_URL', 'TELEMETRY'])(
    'never repeats what may be a password in %s',
    (name) => {
      expect(() => platformConfig({ [name]: 'mysql://user:hunter2@h/d' })).not.toThrow(/hunter2/);
    },
  );
});
