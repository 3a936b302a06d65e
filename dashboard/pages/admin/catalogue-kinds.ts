import type { Client } from 'urql';
import { done } from '../../graphql/done';
import type { ResultOf } from '../../graphql/graphql';
import { memory } from '../machines/machine-state';
import {
  RETIRE_APPLICATION,
  RETIRE_FLAVOR,
  RETIRE_IMAGE,
  SAVE_APPLICATION,
  SAVE_FLAVOR,
  SAVE_IMAGE,
  type CATALOGUE,
} from './catalogue-operations';

export type Kind = 'Size' | 'Image' | 'Application';

/** A line of the catalogue. */
export interface Item {
  readonly kind: Kind;
  /** Missing for one that is not added yet. */
  readonly id?: number;
  readonly name: string;
  readonly about: string;
  /** It is no longer offered. */
  readonly isRetired: boolean;
  /** The texts of its form, by the names of the fields. */
  readonly values: Readonly<Record<string, string>>;
}

/** A field of the form. */
interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type?: 'number' | 'url' | 'lines';
  readonly step?: 'any';
  readonly min?: number;
  readonly required?: boolean;
}

/** What the form holds. */
interface Filled {
  readonly id: number | null;
  readonly text: (name: string) => string;
}

interface KindOfItem {
  readonly fields: readonly Field[];
  readonly save: (client: Client, filled: Filled) => Promise<unknown>;
  readonly retire: (client: Client, id: number) => Promise<unknown>;
}

const SLUG = 'Unique: lower-case letters, digits and dashes';
const NAME: Field = { name: 'name', label: 'Name', required: true };
const ABOUT: Field = { name: 'about', label: 'Description', required: true };
const number = (name: string, label: string): Field => ({ name, label, type: 'number', min: 1, required: true });
const price = (name: string, label: string): Field => ({ name, label, type: 'number', step: 'any', min: 0 });

/** The kinds of items: their fields, and how they are saved and retired. */
export const KINDS: Readonly<Record<Kind, KindOfItem>> = {
  Size: {
    fields: [
      { name: 'title', label: 'Name', required: true },
      { name: 'name', label: 'Short name', hint: SLUG, required: true },
      number('cores', 'Virtual CPUs'),
      number('memory', 'Memory in MiB'),
      number('disk', 'Disk in GiB'),
      { ...price('price', 'Credits per hour'), required: true },
      { ...price('stopped', 'Credits per hour while stopped'), hint: 'Empty: unchanged, none for a new size' },
      { name: 'about', label: 'Description' },
    ],
    save: (client, { id, text }) =>
      done(
        client.mutation(SAVE_FLAVOR, {
          id,
          name: text('name'),
          title: text('title'),
          about: text('about') || null,
          cores: Number(text('cores')),
          memory: Number(text('memory')),
          disk: Number(text('disk')),
          price: text('price'),
          stopped: text('stopped') || null,
        }),
      ),
    retire: (client, id) => done(client.mutation(RETIRE_FLAVOR, { id })),
  },
  Image: {
    fields: [NAME, { name: 'slug', label: 'Short name', hint: SLUG, required: true }, ABOUT],
    save: (client, { id, text }) =>
      done(client.mutation(SAVE_IMAGE, { id, name: text('name'), slug: text('slug'), about: text('about') })),
    retire: (client, id) => done(client.mutation(RETIRE_IMAGE, { id })),
  },
  Application: {
    fields: [
      NAME,
      { name: 'slug', label: 'Short name', hint: SLUG, required: true },
      ABOUT,
      { name: 'logo', label: 'Address of its logo', type: 'url' },
      { name: 'port', label: 'TCP port of the health check', type: 'number', min: 1 },
      { name: 'path', label: 'HTTP path of the health check', hint: 'Empty: a TCP connection is enough' },
      {
        name: 'userData',
        label: 'User data for cloud-init',
        type: 'lines',
        hint: 'Run at the first boot; begins with #cloud-config, ## template: jinja or #!',
      },
    ],
    save: (client, { id, text }) =>
      done(
        client.mutation(SAVE_APPLICATION, {
          id,
          name: text('name'),
          slug: text('slug'),
          about: text('about'),
          logo: text('logo') || null,
          port: Number(text('port')) || null,
          path: text('path') || null,
          userData: text('userData') || null,
        }),
      ),
    retire: (client, id) => done(client.mutation(RETIRE_APPLICATION, { id })),
  },
};

/** Saves an item with these texts; without an id it is added. */
export function savedFrom(client: Client, { kind, id }: Item, values: Item['values']): Promise<unknown> {
  return KINDS[kind].save(client, { id: id ?? null, text: (name: string) => values[name]?.trim() ?? '' });
}

type Catalogue = ResultOf<typeof CATALOGUE>;

/** The lines of the catalogue; what is retired comes last. */
export function itemsOf(catalogue: Catalogue): readonly Item[] {
  const { vmFlavors, vmImages, vmApplications } = catalogue;
  const { adminRetiredVmFlavors, adminRetiredVmImages, adminRetiredVmApplications } = catalogue;
  const offered = [...vmFlavors.map(flavorOf), ...vmImages.map(imageOf), ...vmApplications.map(applicationOf)];
  const retired = [
    ...adminRetiredVmFlavors.map(flavorOf),
    ...adminRetiredVmImages.map(imageOf),
    ...adminRetiredVmApplications.map(applicationOf),
  ];
  return [
    ...offered.map((item) => ({ ...item, isRetired: false })),
    ...retired.map((item) => ({ ...item, isRetired: true })),
  ];
}

function flavorOf({ id, name, displayName: title, description: about, ...rest }: Catalogue['vmFlavors'][number]) {
  const { cpuCores: cores, memoryMb: mebibytes, dataDiskGb: disk, creditsPerHour: price, ...more } = rest;
  return {
    kind: 'Size' as const,
    id,
    name: title,
    about: `${cores} CPU · ${memory(mebibytes)} · ${disk} GiB disk · ${price} credits an hour`,
    values: texts({ name, title, about, cores, memory: mebibytes, disk, price, stopped: more.stoppedCreditsPerHour }),
  };
}

function imageOf({ id, name, slug, description: about }: Catalogue['vmImages'][number]) {
  return { kind: 'Image' as const, id, name, about: slug, values: { name, slug, about } };
}

function applicationOf({ id, name, slug, description: about, ...rest }: Catalogue['vmApplications'][number]) {
  const { logoUrl: logo, probePort: port, probePath: path, userData } = rest;
  const values = texts({ name, slug, about, logo, port, path, userData });
  return { kind: 'Application' as const, id, name, about: slug, values };
}

function texts(values: Readonly<Record<string, string | number | null>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value ?? ''}`]));
}
