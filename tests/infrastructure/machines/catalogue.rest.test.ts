import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { signInToBeta, spawn } from '../../kit/machines/machine.js';
import { asAdmin, call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { serviceToken, signIn } from '../../kit/accounts/wallet.js';

const FLAVOR = {
  id: expect.any(Number),
  name: expect.any(String),
  display_name: expect.any(String),
  cpu_cores: expect.any(Number),
  memory_mb: expect.any(Number),
  data_disk_gb: expect.any(Number),
  credits_per_hour: expect.any(Number),
};
const IMAGE = {
  id: expect.any(Number),
  name: expect.any(String),
  slug: expect.any(String),
  description: expect.any(String),
};

let token: string;
beforeAll(async () => {
  ({ token } = await signIn());
});

async function listed(what: string): Promise<Json[]> {
  const { body } = await call(`GET /api/infrastructure/vm/${what}/`, { token });
  return body;
}

describe('the catalogue', () => {
  it.each(['flavors', 'images', 'applications'])('lists %s as an array that is not empty', async (what) => {
    const rows = await listed(what);
    expect(rows.length).toBeGreaterThan(0);
  });

  it('lists flavors with the documented fields and a description', async () => {
    const rows = await listed('flavors');
    const [{ description }] = rows;
    expect(rows[0]).toEqual({ ...FLAVOR, description });
  });

  it('lists images with the documented fields', async () => {
    const rows = await listed('images');
    expect(rows).toEqual(rows.map(() => IMAGE));
  });

  it('lists applications with the documented fields', async () => {
    const rows = await listed('applications');
    expect(rows).toEqual(rows.map(({ logo_url }) => ({ ...IMAGE, logo_url })));
  });

  it('has logos that are absolute URLs or null', async () => {
    const rows = await listed('applications');
    expect(rows.every(({ logo_url }) => logo_url === null || URL.canParse(logo_url))).toBe(true);
  });

  it('has logos of its own for the applications that come with it', async () => {
    const rows = await listed('applications');
    const own = rows.filter(({ slug }) => ['docker', 'nextcloud', 'postgresql'].includes(slug));
    expect(own.map(({ logo_url }) => logo_url)).toEqual(
      own.map(({ slug }) => expect.stringMatching(`^https?://[^/]+/logos/${slug}\\.svg$`)),
    );
    const pictures = await Promise.all(own.map(({ logo_url }) => call(`GET ${new URL(logo_url).pathname}`)));
    expect(pictures.map(({ status, text }) => [status, text.startsWith('<svg ')])).toEqual(own.map(() => [200, true]));
    const [picture] = pictures;
    expect(picture?.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(picture?.headers.get('cache-control')).toMatch(/^public, max-age=[1-9]/);
    expect(picture?.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  it('has unique ids', async () => {
    const rows = await listed('flavors');
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  it('begins the name of an image with its distribution', async () => {
    const rows = await listed('images');
    expect(rows.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^Debian /));
  });

  it('is shown to a service too', async () => {
    const { status } = await call('GET /api/infrastructure/vm/flavors', { token: await serviceToken() });
    expect(status).toBe(200);
  });
});

describe('a flavor', () => {
  const save = `mutation ($id: Int, $name: String!, $price: Decimal!) {
    adminSaveVmFlavor(id: $id, name: $name, displayName: "Of the tests", cpuCores: 3, memoryMb: 5000, dataDiskGb: 7, creditsPerHour: $price) { id }
  }`;
  const add = async (price: string) => {
    const name = `t-${randomUUID()}`;
    const { adminSaveVmFlavor } = await asAdmin(save, { name, price });
    return { id: adminSaveVmFlavor.id as number, name };
  };

  it('that an administrator adds is listed', async () => {
    const { id, name } = await add('0.125');
    const rows = await listed('flavors');
    expect(rows.find((row) => row.id === id)).toEqual({
      id,
      name,
      display_name: 'Of the tests',
      cpu_cores: 3,
      memory_mb: 5000,
      data_disk_gb: 7,
      credits_per_hour: 0.125,
      description: null,
    });
  });

  it('that an administrator changes is listed as changed', async () => {
    const { id, name } = await add('1');
    await asAdmin(save, { id, name, price: '2.5' });
    const rows = await listed('flavors');
    expect(rows.find((row) => row.id === id)).toMatchObject({ name, credits_per_hour: 2.5 });
  });

  describe('with a price for stopped machines', () => {
    const priced = `mutation ($id: Int, $name: String!, $price: Decimal!, $stopped: Decimal) {
      adminSaveVmFlavor(id: $id, name: $name, displayName: "Of the tests", cpuCores: 3, memoryMb: 5000, dataDiskGb: 7,
        creditsPerHour: $price, stoppedCreditsPerHour: $stopped) { id stoppedCreditsPerHour }
    }`;
    const saved = async (terms: object): Promise<Json> =>
      (await asAdmin(priced, { name: `t-${randomUUID()}`, ...terms })).adminSaveVmFlavor;
    const refused = async (terms: object) => {
      const admin = await serviceToken('ADMIN');
      return codeOf(await graphql(priced, { token: admin, variables: { name: `t-${randomUUID()}`, ...terms } }));
    };

    it('costs nothing unless it says so', async () => {
      expect((await saved({ price: '1' })).stoppedCreditsPerHour).toBe(0);
    });

    it('shows it, and keeps it where it is left out', async () => {
      const name = `t-${randomUUID()}`;
      const { id, stoppedCreditsPerHour } = await saved({ name, price: '1', stopped: '0.25' });
      const changed = await saved({ id, name, price: '2' });
      const freed = await saved({ id, name, price: '2', stopped: '0' });
      expect([stoppedCreditsPerHour, changed.stoppedCreditsPerHour, freed.stoppedCreditsPerHour]).toEqual([
        0.25, 0.25, 0,
      ]);
    });

    it.each(['-0.1', '1.000000000000000001'])('is refused at %s where running costs 1', async (stopped) => {
      expect(await refused({ price: '1', stopped })).toBe('BAD_REQUEST');
    });

    it('is refused where running would cost less than before and less than that', async () => {
      const name = `t-${randomUUID()}`;
      const { id } = await saved({ name, price: '1', stopped: '1' });
      expect(await refused({ id, name, price: '0.5' })).toBe('BAD_REQUEST');
    });

    it('tells who spawns what a stopped machine costs', async () => {
      const { id } = await saved({ price: '1', stopped: '0.25' });
      const { body } = await spawn(await signInToBeta(), { body: { flavor_id: id } });
      expect(body.billing).toMatchObject({
        credits_per_hour: '1',
        stopped_credits_per_hour: '0.25',
        stopped_seconds: 0,
      });
    });
  });

  it('that is retired is listed no more', async () => {
    const { id } = await add('1');
    await asAdmin('mutation ($id: Int!) { adminRetireVmFlavor(id: $id) { id } }', { id });
    const rows = await listed('flavors');
    expect(rows.find((row) => row.id === id)).toBeUndefined();
  });

  it('that is retired and saved again is listed again', async () => {
    const { id, name } = await add('1');
    await asAdmin('mutation ($id: Int!) { adminRetireVmFlavor(id: $id) { id } }', { id });
    await asAdmin(save, { id, name, price: '1' });
    const rows = await listed('flavors');
    expect(rows.find((row) => row.id === id)).toMatchObject({ name });
  });
});

describe.each([
  [
    'VmFlavor',
    'name: "NAME", displayName: "NAME", cpuCores: 1, memoryMb: 512, dataDiskGb: 1, creditsPerHour: "1"',
    'name enabled',
  ],
  ['VmImage', 'name: "NAME", slug: "NAME", description: "Of the tests"', 'name slug'],
  ['VmApplication', 'name: "NAME", slug: "NAME", description: "Of the tests", userData: "#!/bin/sh"', 'name userData'],
])('a retired %s', (type, terms, fields) => {
  const list = `{ adminRetired${type}s { id ${fields} } }`;
  const save = (name: string, id?: number) =>
    asAdmin(
      `mutation { saved: adminSave${type}(${id ? `id: ${id}, ` : ''}${terms.replaceAll('NAME', name)}) { id ${fields} } }`,
    );
  const listedNames = async () => (await asAdmin(list))[`adminRetired${type}s`].map(({ name }: Json): string => name);

  it('is listed for administrators until it is saved again', async () => {
    const name = `t-${randomUUID()}`;
    const { saved } = await save(name);
    expect(await listedNames()).not.toContain(name);
    await asAdmin(`mutation { adminRetire${type}(id: ${saved.id}) { id } }`);
    const rows = (await asAdmin(list))[`adminRetired${type}s`];
    expect(rows).toContainEqual({ ...saved, ...(type === 'VmFlavor' ? { enabled: false } : {}) });
    await save(name, saved.id);
    expect(await listedNames()).not.toContain(name);
  });

  it('is listed for nobody else', async () => {
    expect(codeOf(await graphql(list, { token }))).toBe('FORBIDDEN');
    expect(codeOf(await graphql(list))).toBe('UNAUTHENTICATED');
  });
});
