import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { platformConfig } from '../kit/config.js';
import { projectFile } from '../kit/compose.js';
import { sayExpected } from '../kit/expected-lines.js';
import { numberIn } from './source.js';

/** Licences that allow use, change and sale. */
const ALLOWED = new Set([
  '(MIT AND BSD-3-Clause)',
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/**
 * Licences with conditions that are met: README, Licences. Elastic-2.0 forbids only a managed service. EPL-2.0 wants changed files to be
 * published: `elkjs` is a file of its own, unmodified. OFL-1.1 forbids only to sell the font by itself, and a reserved name, which Inter has not.
 */
const CONDITIONAL = [
  ['@apollo/composition', 'Elastic-2.0'],
  ['@apollo/federation-internals', 'Elastic-2.0'],
  ['@apollo/gateway', 'Elastic-2.0'],
  ['@apollo/query-graphs', 'Elastic-2.0'],
  ['@apollo/query-planner', 'Elastic-2.0'],
  ['@fontsource-variable/inter', 'OFL-1.1'],
  ['elkjs', 'EPL-2.0 OR GPL-3.0-or-later'],
];

/** Packages without the field `license`; their files state the MIT License. */
const BY_FILE: readonly string[] = ['busboy', 'streamsearch'];

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[];
}

const licenceOf = ({ licenses: [first] = [] }: Component) => first?.license?.id ?? first?.expression;

const CHOSEN: Readonly<Record<string, string>> = { VM_PROVIDER: 'proxmox', NETWORK_ENGINE: 'netbird' };
const ISSUER = { OIDC_X_ISSUER: 'https://issuer.example', OIDC_X_CLIENT_ID: 'x' };

/** Variables that are named like secrets, and are none: the addresses among them have no password. */
const PUBLIC = new Set([
  'BLOB_URL',
  'DEPOSIT_TAO_PUBLIC_KEY',
  'NETBIRD_URL',
  'PAYPROC_API_URL',
  'PROXMOX_URL',
  'PUBLIC_URL',
]);

/** Names of variables that the code reads when every choice with secrets is made. */
function variablesOfTheCode(): Set<string> {
  const names = new Set<string>();
  const env: Record<string, string> = { ...CHOSEN, ...ISSUER };
  const read = (_: unknown, name: string) => {
    names.add(name.replace('OIDC_X_', 'OIDC_<NAME>_'));
    return env[name];
  };
  // The choices need values that are not given; all variables are read before that is told.
  expect(() => platformConfig(new Proxy<Record<string, string>>(env, { get: read }))).toThrow('PROXMOX_TOKEN');
  return names;
}

describe('npm run sbom', () => {
  let components: Component[];
  beforeAll(() => {
    const options = { cwd: packageRoot(), encoding: 'utf8', maxBuffer: 2 ** 25 } as const;
    ({ components } = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], options)));
  }, 60_000);

  it('lists every package that is installed', () => {
    const { packages } = JSON.parse(projectFile('package-lock.json')) as {
      packages: Record<string, { readonly dev?: boolean; readonly version: string }>;
    };
    const known = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const installed = Object.entries(packages).filter(([place, { dev }]) => place !== '' && dev !== true);
    const names = installed.map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('lists what the bundle of the dashboard contains, and not what builds it', () => {
    const names = components.map(({ name }) => name);
    const bundled = ['@radix-ui/react-dialog', '@xyflow/system', 'react', 'react-dom', 'scheduler', 'urql', 'wonka'];
    expect(names).toEqual(expect.arrayContaining(bundled));
    expect(names.filter((name) => ['jest', 'rolldown', 'subset-font', 'vite'].includes(name))).toEqual([]);
  });

  it('lists packages with an allowed licence', () => {
    const others = components.filter(
      (component) => !ALLOWED.has(licenceOf(component) ?? '') && !BY_FILE.includes(component.name),
    );
    expect(others.map((component) => [component.name, licenceOf(component)])).toEqual(CONDITIONAL);
  });

  it.each(BY_FILE)('lists %s, whose licence file says MIT', (name) => {
    expect(projectFile(`node_modules/${name}/LICENSE`)).toContain('Permission is hereby granted, free of charge');
  });
});

describe('SECURITY.md', () => {
  const text = projectFile('SECURITY.md');

  it('names variables that can be read from a file', () => {
    const known = variablesOfTheCode();
    const [, listed = ''] = /These are secret: (.*?)\. The keys/s.exec(text) ?? [];
    const names = [...listed.matchAll(/`([A-Z_<>]+)`/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name) || !known.has(`${name}_FILE`))).toEqual([]);
  });

  it('names every secret variable of the code', () => {
    const secret = [...variablesOfTheCode()].filter((name) => /(?:SECRET|TOKEN|PASSWORD|_KEY|_URL)$/.test(name));
    const [, listed = ''] = /These are secret: (.*?)\. The keys/s.exec(text) ?? [];
    expect(secret.filter((name) => !PUBLIC.has(name) && !listed.includes(`\`${name}\``))).toEqual([]);
  });

  it('names tests that exist', () => {
    const tests = [...text.matchAll(/`(tests\/[\w/.-]+)`/g)].map(([, file = '']) => file);
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((file) => !existsSync(join(packageRoot(), file)))).toEqual([]);
  });
});

const UNIT = 'deploy/systemd/archipelago-platform.service';

describe(UNIT, () => {
  const unit = projectFile(UNIT);

  it('starts an entry point that exists', () => {
    const [, entry = ''] = /^ExecStart=\/usr\/bin\/env node (dist\/\S+\.js)$/m.exec(unit) ?? [];
    expect(existsSync(join(packageRoot(), entry || 'none'))).toBe(true);
  });

  it('waits longer than the platform takes to stop', () => {
    const requests = numberIn('gateway/composition/lifecycle.ts', /SHUTDOWN_TIMEOUT_MS = (\d+)_000/);
    expect(numberIn(UNIT, /^TimeoutStopSec=(\d+)s$/m)).toBeGreaterThan(requests + 20);
  });

  it('writes its data where the service may write, and nowhere else', () => {
    const [, state = 'none'] = /^StateDirectory=(\S+)$/m.exec(unit) ?? [];
    expect(unit).toContain(`DATA_DIR=/var/lib/${state}\n`);
    expect(unit).toMatch(/^ProtectSystem=strict$/m);
    expect(unit).not.toMatch(/^ReadWritePaths=/m);
  });

  it('lets V8 compile', () => {
    expect(unit).toMatch(/^MemoryDenyWriteExecute=no$/m);
  });

  const analyze = ['/usr/bin/systemd-analyze'].find(existsSync);
  if (analyze === undefined) sayExpected('systemd-analyze is not installed: the unit is not verified');

  // The score of an exposure is from 0 to 10: systemd calls 9.2 unsafe, what a unit without options has, and less than 3 OK.
  it.each(analyze === undefined ? [] : [[['verify']], [['security', '--offline=true', '--threshold=25']]])(
    'passes systemd-analyze %s',
    (words) => {
      const { status, stderr } = spawnSync(analyze ?? '', [...words, UNIT], { cwd: packageRoot(), encoding: 'utf8' });
      expect({ status, about: stderr.split('\n').filter((line) => line.includes('platform.service')) }).toEqual({
        status: 0,
        about: [],
      });
    },
  );
});
