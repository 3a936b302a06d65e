import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One suite for each kind of fault, for `npm test`; `npm run test:all` has all of tests/faults. */
const ONE_OF_EACH_KIND = [
  'database-down', // a server that is gone
  'database-busy', // a server that is slow
  'killed-ledger', // kill -9 of the whole platform
  'killed-jobs', // kill -9 in the middle of a job
  'stop', // SIGTERM
  'restart', // what a start finds
  'upload-store', // a store of files that fails
  'small-disk', // a full disk
  'processor-outage', // another company's API that fails
  'certificates-unavailable', // a subgraph that is gone
  'unread', // a client that does not read
  'sign-in-limits', // a client that sends too much
  'hold', // races about money
  'machine-faults', // a host of machines that fails
  'network-upgrade', // data of an older version
  'traces-off', // a service that is not configured
];

/** `quick`: npm test. `chosen`: npm test with paths. `all`: npm run test:all. */
const command = process.env.TEST_COMMAND ?? 'all';

const folders = (...names) => names.map((name) => `<rootDir>/tests/${name}/**/*.test.ts`);
const setUpBy = (name) => ({
  globalSetup: `<rootDir>/dist/tests/kit/global-${name}.js`,
  globalTeardown: '<rootDir>/dist/tests/kit/global-teardown.js',
});

const base = {
  testEnvironment: '<rootDir>/dist/tests/kit/global-environment.js',
  testRunner: '<rootDir>/scripts/jest/suite-runner.js',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': '@swc/jest' },
};

/** Suites that need no server. */
const rules = { ...base, displayName: 'rules', testMatch: folders('architecture', 'rules') };

/** Suites that start platforms of their own, on databases of a PostgreSQL that is started once. */
const faults = {
  ...base,
  ...setUpBy('database'),
  displayName: 'faults',
  testMatch: command === 'quick' ? ONE_OF_EACH_KIND.map(suiteOf) : folders('faults'),
};

/** Suites that speak to a platform, which is started once for each arrangement. */
const contract = (arrangement) => ({
  ...base,
  ...setUpBy(arrangement.toLowerCase().replace(' ', '-')),
  displayName: arrangement,
  testMatch: folders('federation', 'rest', 'subgraphs', 'subscriptions'),
  globals: { ARRANGEMENT: arrangement },
});

export default {
  maxWorkers: 3,
  reporters: ['default', ['<rootDir>/scripts/jest/cost-reporter.js', { budget: command }]],
  projects: [rules, faults, contract('in process'), ...(command === 'all' ? [contract('behind HTTP')] : [])],
};

function suiteOf(name) {
  const file = `tests/faults/${name}.test.ts`;
  if (!existsSync(fileURLToPath(new URL(file, import.meta.url)))) throw new Error(`jest.config.js names ${file}`);
  return `<rootDir>/${file}`;
}
