import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMIN_TOKEN } from '../kit/arrangements.js';
import { openCommandLine, signedInCommandLine, type CommandLine } from '../kit/command-line.js';
import type { Json } from '../kit/platform.js';

let admin: CommandLine;
beforeAll(async () => {
  admin = await openCommandLine({ ARCHIPELAGO_TOKEN: ADMIN_TOKEN });
});
afterAll(() => admin.close());

const catalogue = (...words: readonly string[]) => admin.run('admin', 'catalogue', ...words);
const json = (...words: readonly string[]) => admin.json('admin', 'catalogue', ...words);
const newName = () => `t-${randomUUID()}`;

/** The options of new items by their kind, with the fields that they give. */
const NEW_ITEMS = {
  flavor: {
    options:
      '--display-name Large --cpu-cores 64 --memory-mb 65536 --data-disk-gb 500 --credits-per-hour 0.0000001 --stopped-credits-per-hour 0.00000001',
    fields: {
      displayName: 'Large',
      cpuCores: 64,
      memoryMb: 65_536,
      dataDiskGb: 500,
      creditsPerHour: 1e-7,
      stoppedCreditsPerHour: 1e-8,
    },
  },
  image: { options: '--name NAME', fields: {} },
  application: {
    options: '--name NAME --logo-url https://example.com/logo.svg --probe-port 80 --probe-path /',
    fields: { logoUrl: 'https://example.com/logo.svg', probePort: 80, probePath: '/', userData: null },
  },
} as const;
type Kind = keyof typeof NEW_ITEMS;

/** The item with this id, and whether it is retired. */
async function itemOf(kind: Kind, id: number): Promise<Json> {
  const rows: Json[] = (await json('list'))[`${kind}s`];
  return rows.find((row) => row.id === id);
}

/** The options of a new item. The names of images and applications are unique. */
const optionsOf = (kind: Kind, name: string) => [
  ...NEW_ITEMS[kind].options.replace('NAME', `Name-${name}`).split(' '),
  '--description',
  'of the tests',
];

describe('the catalogue on the command line', () => {
  it.each(['flavor', 'image', 'application'] as const)(
    'gets a new %s, which is changed, retired and offered again',
    async (kind) => {
      const key = kind === 'flavor' ? 'name' : 'slug';
      const [name, other] = [newName(), newName()];
      const created = await json(kind, 'create', name, ...optionsOf(kind, name));
      expect(created).toEqual({ id: expect.any(Number), [key]: name });
      const { id } = created;
      const fields = { [key]: name, description: 'of the tests', ...NEW_ITEMS[kind].fields };
      expect(await itemOf(kind, id)).toMatchObject({ ...fields, isRetired: false });
      await json(kind, 'change', name, `--${key}`, other, '--description', 'changed');
      const changed = { ...fields, [key]: other, description: 'changed' };
      expect(await itemOf(kind, id)).toMatchObject({ ...changed, isRetired: false });
      expect(await catalogue(kind, 'retire', other)).toEqual({
        code: 2,
        stdout: '',
        stderr: 'Nothing was retired. Give --yes where there is no terminal to ask on.\n',
      });
      expect(await catalogue(kind, 'retire', other, '--yes')).toMatchObject({
        code: 0,
        stdout: `${other} is retired\n`,
      });
      expect(await itemOf(kind, id)).toMatchObject({ ...changed, isRetired: true });
      expect((await catalogue('list')).stdout).toMatch(new RegExp(`^${id} +${other} +retired`, 'm'));
      expect(await catalogue(kind, 'offer', `${id}`)).toMatchObject({ code: 0, stdout: `${id} is offered\n` });
      expect(await itemOf(kind, id)).toMatchObject({ ...changed, isRetired: false });
    },
  );

  it('takes user data from a file, and removes what is given as an empty text', async () => {
    const [name, file] = [newName(), join(admin.folder, 'wiki.yaml')];
    const userData = '#cloud-config\npackages: [wiki]\n';
    await writeFile(file, userData);
    const { id } = await json('application', 'create', name, ...optionsOf('application', name), '--user-data', file);
    expect(await itemOf('application', id)).toMatchObject({ userData, probePort: 80 });
    await json('application', 'change', name, '--probe-port', '', '--probe-path', '', '--logo-url', '');
    expect(await itemOf('application', id)).toMatchObject({
      userData,
      probePort: null,
      probePath: null,
      logoUrl: null,
    });
    await json('application', 'retire', name, '--yes');
  });

  it.each([
    [
      'create a flavor without its sizes',
      ['flavor', 'create', 'x', '--display-name', 'X'],
      2,
      '--cpu-cores, --memory-mb',
    ],
    [
      'create a flavor with a size that is no number',
      ['flavor', 'create', 'x', ...optionsOf('flavor', 'x'), '--cpu-cores', '1.5'],
      2,
      '"1.5"',
    ],
    ['create a flavor that the platform refuses', ['flavor', 'create', 'X', ...optionsOf('flavor', 'X')], 1, 'name'],
    ['change nothing', ['image', 'change', 'debian-13'], 2, 'at least one field'],
    ['change an image that is not there', ['image', 'change', 'none', '--name', 'None'], 2, 'There is no image "none"'],
    ['retire a flavor that is not there', ['flavor', 'retire', 'none', '--yes'], 2, 'There is no flavor "none"'],
    [
      'read user data that is not there',
      ['application', 'change', 'docker', '--user-data', '/none'],
      2,
      'no file /none',
    ],
  ])('refuses to %s', async (_, words, status, sentence) => {
    const { code, stdout, stderr } = await catalogue(...words);
    expect([code, stdout, stderr]).toEqual([status, '', expect.stringContaining(sentence)]);
  });

  it('is not for others', async () => {
    const line = await signedInCommandLine();
    const { code, stdout } = await line.run('admin', 'catalogue', 'list');
    expect([code, stdout]).toEqual([1, '']);
    await line.close();
  });
});
