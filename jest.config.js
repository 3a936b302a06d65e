const base = {
  testEnvironment: '<rootDir>/dist/tests/kit/global-environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': '@swc/jest' },
};

const suitesIn = (...rooms) => rooms.map((room) => `<rootDir>/tests/${room}/**/*.test.ts`);

/** Suites that need no platform, or start their own. */
const alone = {
  ...base,
  displayName: 'alone',
  testMatch: suitesIn('architecture', 'faults', 'rules'),
  globalSetup: '<rootDir>/dist/tests/kit/global-database.js',
  globalTeardown: '<rootDir>/dist/tests/kit/global-database-teardown.js',
};

/** Suites that speak to a running platform; each runs against both arrangements, which are started once. */
const contract = {
  ...base,
  testMatch: suitesIn('federation', 'rest', 'subgraphs', 'subscriptions'),
  globalSetup: '<rootDir>/dist/tests/kit/global-setup.js',
  globalTeardown: '<rootDir>/dist/tests/kit/global-teardown.js',
};

export default {
  maxWorkers: 3,
  // Ends a wait in vain; no test measures time by it.
  testTimeout: 60_000,
  projects: [
    alone,
    { ...contract, displayName: 'in process', globals: { ARRANGEMENT: 'in process' } },
    { ...contract, displayName: 'behind HTTP', globals: { ARRANGEMENT: 'behind HTTP' } },
  ],
};
