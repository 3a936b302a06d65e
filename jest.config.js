const base = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': '@swc/jest' },
};

/** Suites that speak to a running platform; each runs against both arrangements. */
const contract = ['federation', 'rest', 'subgraphs', 'subscriptions'].map((room) => `<rootDir>/tests/${room}/**/*.test.ts`);

export default {
  maxWorkers: 2,
  globalSetup: '<rootDir>/dist/tests/kit/global-setup.js',
  globalTeardown: '<rootDir>/dist/tests/kit/global-teardown.js',
  projects: [
    { ...base, displayName: 'alone', testMatch: ['architecture', 'faults', 'rules'].map((room) => `<rootDir>/tests/${room}/**/*.test.ts`) },
    { ...base, displayName: 'in process', testMatch: contract, globals: { ARRANGEMENT: 'in process' } },
    { ...base, displayName: 'behind HTTP', testMatch: contract, globals: { ARRANGEMENT: 'behind HTTP' } },
  ],
};
