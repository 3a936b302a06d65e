import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { asDecimal, costOf, inUnits, secondsFor } from '../../../subgraphs/infrastructure/credits.rules.js';
import {
  COMMANDS,
  instanceKey,
  TRANSITIONS,
  statesBefore,
  hostNameOf,
  readName,
} from '../../../subgraphs/infrastructure/machines/instance/instance.rules.js';
import { ownedRow } from '../../../subgraphs/infrastructure/owned-row.rules.js';
import { checkSshKey } from '../../../subgraphs/infrastructure/machines/instance/ssh-key.rules.js';

/** The strings behind their lengths, in base64. */
function blob(...fields: readonly (Buffer | string)[]): string {
  const parts = fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.from(field).length);
    return [length, Buffer.from(field)];
  });
  return Buffer.concat(parts).toString('base64');
}

const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url');
const mpint = (number: Buffer): Buffer => ((number[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), number]) : number);
const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' });

const ED = jwkOf(generateKeyPairSync('ed25519').publicKey);
const rsa = (bits: number) => jwkOf(generateKeyPairSync('rsa', { modulusLength: bits }).publicKey);
const point = (curve: string): Buffer => {
  const { x, y } = jwkOf(generateKeyPairSync('ec', { namedCurve: curve }).publicKey);
  return Buffer.concat([Buffer.from([4]), bytes(x), bytes(y)]);
};
const rsaLine = (bits: number): string => {
  const { e, n } = rsa(bits);
  return `ssh-rsa ${blob('ssh-rsa', mpint(bytes(e)), mpint(bytes(n)))} me@here`;
};
const ED_LINE = `ssh-ed25519 ${blob('ssh-ed25519', bytes(ED.x))}`;
const SK = 'sk-ssh-ed25519@openssh.com';
const EC = 'ecdsa-sha2-nistp256';
/** Points of order 1, 2, 4 and 8, of which anyone can make signatures; one is written in a way that no one should. */
const LOW_ORDER = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];
const SK_EC = 'sk-ecdsa-sha2-nistp256@openssh.com';

describe('an SSH key is taken', () => {
  it.each([
    ['of ed25519', ED_LINE],
    ['with a comment of several words', `${ED_LINE} my key, the 2nd (ünïcode)`],
    ['with blanks around it', ` ${ED_LINE}\n`],
    ['of RSA with 2048 bits', rsaLine(2048)],
    ['of RSA with 4096 bits', rsaLine(4096)],
    ...(['256', '384', '521'] as const).map((size) => {
      const type = `ecdsa-sha2-nistp${size}`;
      return [`of ${type}`, `${type} ${blob(type, `nistp${size}`, point(`P-${size}`))}`];
    }),
    ['of a security key', `${SK} ${blob(SK, bytes(ED.x), 'ssh:')} token`],
    ['of an ECDSA security key', `${SK_EC} ${blob(SK_EC, 'nistp256', point('P-256'), 'ssh:')}`],
  ])('%s', (_what, line) => {
    expect(checkSshKey(line ?? '')).toBe((line ?? '').trim());
  });
});

describe('an SSH key is refused', () => {
  it.each([
    ['of RSA with 1024 bits', rsaLine(1024)],
    ['of DSA', `ssh-dss ${blob('ssh-dss', 'x')}`],
    ['whose blob says another kind', `ssh-ed25519 ${blob('ssh-rsa', bytes(ED.x))}`],
    ['whose line says another kind', `ssh-rsa ${blob('ssh-ed25519', bytes(ED.x))}`],
    ['that is too short', `ssh-ed25519 ${blob('ssh-ed25519', bytes(ED.x).subarray(1))}`],
    ['with more behind it', `ssh-ed25519 ${blob('ssh-ed25519', bytes(ED.x), 'x')}`],
    ['that is cut off', ED_LINE.slice(0, -8)],
    ['without a blob', 'ssh-ed25519'],
    ['of zeros', `ssh-ed25519 ${blob('ssh-ed25519', Buffer.alloc(32))}`],
    ...LOW_ORDER.map((hex) => [
      `of the small order ${hex}`,
      `ssh-ed25519 ${blob('ssh-ed25519', Buffer.from(hex, 'hex'))}`,
    ]),
    ['of a security key with zeros', `${SK} ${blob(SK, Buffer.alloc(32), 'ssh:')}`],
    ...(['256', '384', '521'] as const).map((size) => {
      const type = `ecdsa-sha2-nistp${size}`;
      const off = point(`P-${size}`);
      off[off.length - 1] = (off.at(-1) ?? 0) ^ 1;
      return [`of a point off ${type}`, `${type} ${blob(type, `nistp${size}`, off)}`];
    }),
    ['of the point of zeros', `${EC} ${blob(EC, 'nistp256', Buffer.concat([Buffer.from([4]), Buffer.alloc(64)]))}`],
    ['that is no base64', 'ssh-ed25519 !!!!'],
    ['on another curve', `ecdsa-sha2-nistp256 ${blob('ecdsa-sha2-nistp256', 'nistp384', point('P-384'))}`],
    [
      'whose point is compressed',
      `ecdsa-sha2-nistp256 ${blob('ecdsa-sha2-nistp256', 'nistp256', Buffer.alloc(33, 2))}`,
    ],
    ['of a security key for nothing', `${SK} ${blob(SK, bytes(ED.x), '')}`],
    ['behind options', `command="x" ${ED_LINE}`],
    ['before another', `${ED_LINE}\n${ED_LINE}`],
    ['with a control character in its comment', `${ED_LINE} a\u0007b`],
    ['by the name of a property of objects', `constructor ${blob('constructor', 'x')}`],
    ['that is a certificate', `ssh-ed25519-cert-v01@openssh.com ${blob('ssh-ed25519-cert-v01@openssh.com', 'x')}`],
  ])('%s', (_what, line) => {
    expect(() => checkSshKey(line ?? '')).toThrow(/ssh_public_key/);
  });

  it('that is longer than any key, before its text is searched', () => {
    const startMs = performance.now();
    expect(() => checkSshKey(`ssh-ed25519 AAAA${' '.repeat(100_000)}\u0007`)).toThrow(/ssh_public_key/);
    expect(performance.now() - startMs).toBeLessThan(500);
  });
});

describe('the cost of seconds', () => {
  it.each(['0.008', '0.07', '1', '10000', '0.000000000000000001', '3333.333333333333333333'])(
    'at %s an hour adds up, however it is split',
    (price) => {
      const units = inUnits(price);
      const marks = [1n, 2n, 59n, 60n, 61n, 3_599n, 3_600n, 86_401n, 2_678_400n];
      const charges = marks.map((mark, index) => costOf(mark, units) - costOf(marks[index - 1] ?? 0n, units));
      expect(charges.reduce((sum, charge) => sum + charge)).toBe(costOf(2_678_400n, units));
      expect(charges.every((charge) => charge >= 0n)).toBe(true);
    },
  );

  it.each([
    ['10', '4'],
    ['10', '7'],
    ['0.000000000000000001', '3600'],
    ['1', '0.000000000000000007'],
  ])('is affordable for as many as %s credits at %s pay', (credits, price) => {
    const seconds = secondsFor(inUnits(credits), inUnits(price));
    expect(costOf(seconds, inUnits(price)) <= inUnits(credits)).toBe(true);
    expect(costOf(seconds + 1n, inUnits(price)) > inUnits(credits)).toBe(true);
  });

  it.each(['0', '1', '0.000000000000000001', '12.5', '10000'])('%s is written as it is read', (decimal) => {
    expect(asDecimal(inUnits(decimal))).toBe(decimal);
  });
});

describe('the states of a machine', () => {
  it('let every state but the last be left, and the last be reached from each', () => {
    expect(Object.entries(TRANSITIONS).filter(([, next]) => next.length === 0)).toEqual([['terminated', []]]);
    const before = new Set<string>(['terminated']);
    for (const _ of Object.keys(TRANSITIONS))
      for (const to of before) for (const from of statesBefore(to as 'failed')) before.add(from);
    expect(before.size).toBe(Object.keys(TRANSITIONS).length);
  });

  it('allow each command where it is told', () => {
    for (const rule of Object.values(COMMANDS)) if ('from' in rule) expect(TRANSITIONS[rule.from]).toContain(rule.via);
  });
});

describe('the name of a machine', () => {
  it.each([
    ['a', 'a', 'a'],
    ['Web 1', 'Web 1', 'web-1'],
    [' -über_b- ', '-über_b-', 'uber-b'],
    ['会', '会', 'vm-7'],
    ['a'.repeat(63), 'a'.repeat(63), 'a'.repeat(63)],
  ])('%j is %j and makes the host name %j', (text, name, hostName) => {
    expect([readName(text), hostNameOf(name, 7)]).toEqual([name, hostName]);
  });
  it.each(['', '  ', null])('%j is none', (text) => {
    expect(readName(text)).toBeNull();
  });
  it.each(['a\nb', 'a\0', '\ud800', 'a'.repeat(64)])('%j is refused', (text) => {
    expect(() => readName(text)).toThrow(/name/);
  });
});

describe('the name of a machine in an address', () => {
  it.each([
    ['7', 7, null],
    ['2147483648', null, null],
    ['0195F3A0-7B1C-8A2E-9C3D-0123456789AB', null, '0195f3a0-7b1c-8a2e-9c3d-0123456789ab'],
    ['x', null, null],
    ['-1', null, null],
    ['1.0', null, null],
  ])('%s', (text, id, uuid) => {
    expect(instanceKey(text)).toEqual({ id, uuid });
  });
});

describe('a job', () => {
  it.each([
    [
      { userId: 7, id: 3 },
      { userId: 7, id: 3 },
    ],
    [{ id: 3 }, { userId: 0, id: 3 }],
  ])('about %j finds the row of %j, none without a user', (data, row) => {
    expect(ownedRow(data)).toEqual(row);
  });
});
