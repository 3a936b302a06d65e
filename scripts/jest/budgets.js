/**
 * CPU seconds that each folder may use, by command: a quarter more than on 2026-11-28, on two cores without other work, but no more
 * than before: four folders and the sum of `all` exceed theirs. `npm test` with paths has no budget. The shared servers are PostgreSQL and the platforms, which start once. The checks use another minute.
 * Two cores have 600 CPU seconds in the five minutes of `npm test`, and 3,000 in the 25 minutes of `npm run test:all`.
 */
export const BUDGETS = {
  quick: {
    'tests/accounts': 55,
    'tests/architecture': 15,
    'tests/cli': 20,
    'tests/cluster': 1,
    'tests/deploy': 10,
    'tests/gateway': 60,
    'tests/infrastructure': 20,
    'tests/kernel': 30,
    'tests/network': 30,
    'tests/scripts': 1,
    'tests/sdk': 20,
    'tests/sync': 35,
    'shared servers': 145,
    all: 450,
  },
  all: {
    'tests/accounts': 230,
    'tests/architecture': 15,
    'tests/cli': 100,
    'tests/cluster': 75,
    'tests/dashboard': 150,
    'tests/deploy': 60,
    'tests/gateway': 200,
    'tests/infrastructure': 160,
    'tests/kernel': 150,
    'tests/network': 125,
    'tests/scripts': 70,
    'tests/sdk': 25,
    'tests/sync': 220,
    'shared servers': 600,
    all: 1950,
  },
};
