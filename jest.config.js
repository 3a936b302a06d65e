import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One suite for each kind of fault, for `npm test`; `npm run test:all` has all of them. */
const ONE_OF_EACH_KIND = [
  'kernel/database/database-down', // a server that is gone
  'kernel/database/database-busy', // a server that is slow
  'accounts/ledger/killed-ledger', // kill -9 of the whole platform
  'kernel/jobs/killed-jobs', // kill -9 in the middle of a job
  'gateway/composition/stop', // SIGTERM
  'gateway/composition/restart', // what a start finds
  'sync/uploads/upload-store', // a store of files that fails
  'sync/blob-store/small-disk', // a full disk
  'accounts/payments/processor/processor-outage', // another company's API that fails
  'infrastructure/certificates/certificates-unavailable', // a subgraph that is gone
  'gateway/http/slow-readers', // a client that does not read
  'accounts/sign-in/sign-in-limits', // a client that sends too much
  'accounts/ledger/hold', // races about money
  'infrastructure/machines/provider/host-refusals', // a host of machines that fails
  'network/graph/upgrade', // data of an older version
  'kernel/database/typed-rows', // a statement or a row that differs from the database
  'kernel/database/owner-keys', // a key or a statement that forgets its owner
  'kernel/telemetry/traces-off', // a service that is not configured
];

/**
 * Contract suites that run in one process only: programs that only see the address of a platform, and values and rules of
 * one subgraph. `gateway/rest` sends every REST row in both arrangements, and the other suites of each subgraph run in both.
 */
const IN_PROCESS_ONLY = [
  'cli/',
  'sdk/client/python',
  'sdk/files/',
  'accounts/identity/(roles|substrate-address|user-list|user/|verify-token)',
  'accounts/ledger/statement/',
  'accounts/notifications/(preferences|webhook-fairness|webhook-refusals)',
  'accounts/payments/(price|processor/|processor-events/(odd|payment-cases)|transaction/)',
  'accounts/sandbox/(api|checkout|deposit|payment|refusals|subscription)',
  'accounts/sign-in/(displaced-roles|referral|sign-in-proof|social-code|wallet-link)',
  'infrastructure/machines/catalogue',
  'infrastructure/(models|storage)/',
  'network/(certificates|compile|documents)/',
  'network/graph/(group/|history|network/|network-graph/(network-sizes|node-positions)|policy/|router/)',
  'sync/files/(delete-files|files\\.graphql|rename-files)',
  'sync/(folders|search|usage)/',
  'sync/uploads/(order-of-checks|upload-manifest|upload-refusals|upload-revision)',
];

const SUITES = readdirSync(new URL('tests', import.meta.url), { recursive: true });

/** `quick`: npm test. `chosen`: npm test with paths. `all`: npm run test:all. */
const command = process.env.TEST_COMMAND ?? 'all';

/** A suite's kind is the word before `.test.ts`. */
const suitesOf = (...kinds) => kinds.map((kind) => `<rootDir>/tests/**/*.${kind}.test.ts`);
const setUpBy = (name) => ({
  globalSetup: `<rootDir>/dist/tests/kit/global/${name}.js`,
  globalTeardown: '<rootDir>/dist/tests/kit/global/teardown.js',
});

const base = {
  testEnvironment: '<rootDir>/dist/tests/kit/global/environment.js',
  testRunner: '<rootDir>/scripts/jest/suite-runner.js',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': '@swc/jest' },
};

/** Suites that need no server. */
const rules = {
  ...base,
  displayName: 'rules',
  testMatch: ['<rootDir>/tests/architecture/*.test.ts', ...suitesOf('rules')],
};

/** Suites that start platforms of their own, on databases of a PostgreSQL that is started once. */
const faults = {
  ...base,
  ...setUpBy('database'),
  displayName: 'faults',
  testMatch: command === 'quick' ? ONE_OF_EACH_KIND.map(suiteOf) : suitesOf('faults'),
};

/** Suites that speak to a platform, which is started once for each arrangement. */
const contract = (arrangement) => ({
  ...base,
  ...setUpBy(arrangement.toLowerCase().replace(' ', '-')),
  displayName: arrangement,
  testMatch: suitesOf('rest', 'graphql', 'subscriptions'),
  testPathIgnorePatterns: notIn(arrangement),
  globals: { ARRANGEMENT: arrangement },
});

/** Suites that use the dashboard in Chromium, on a platform in one process. */
const browser = {
  ...base,
  ...setUpBy('in-process'),
  displayName: 'browser',
  testMatch: suitesOf('browser'),
  globals: { ARRANGEMENT: 'in process' },
};

export default {
  // More than the cores, because suites also wait. All of them on two cores: 3 used 79 % of the CPU time, 4 used 83 %, 5 use all.
  maxWorkers: 5,
  // Node never frees the modules of a suite: a worker grew to a gigabyte, and each collection of garbage took a second.
  workerIdleMemoryLimit: '400MB',
  testSequencer: '<rootDir>/scripts/jest/longest-first.js',
  reporters: ['default', ['<rootDir>/scripts/jest/cost-reporter.js', { budget: command }]],
  projects: [
    rules,
    faults,
    contract('in process'),
    ...(command === 'all' ? [contract('behind HTTP')] : []),
    ...(command === 'quick' ? [] : [browser]),
  ],
};

function notIn(arrangement) {
  if (arrangement === 'behind HTTP') return IN_PROCESS_ONLY.map(patternOf);
  // Each command of the command line is a process: some suites of it are enough for every day.
  return command === 'quick' ? ['/tests/cli/(?!account|doctor|program)'] : [];
}

function patternOf(start) {
  const pattern = new RegExp(`^${start}`);
  if (!SUITES.some((name) => pattern.test(name))) throw new Error(`jest.config.js: no suite begins with ${start}`);
  return `/tests/${start}`;
}

function suiteOf(name) {
  const file = `tests/${name}.faults.test.ts`;
  if (!existsSync(fileURLToPath(new URL(file, import.meta.url)))) throw new Error(`jest.config.js names ${file}`);
  return `<rootDir>/${file}`;
}
