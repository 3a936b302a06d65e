/**
 * CPU seconds that each folder may use, by command; `npm test` with paths has no budget. The shared servers are PostgreSQL
 * and the platforms, which start once. The checks use another minute. Two cores have 600 CPU seconds in the five minutes of
 * `npm test`, and 3,000 in the 25 minutes of `npm run test:all`.
 */
export const BUDGETS = {
  quick: {
    'tests/accounts': 90,
    'tests/architecture': 15,
    'tests/cli': 20,
    'tests/gateway': 60,
    'tests/infrastructure': 50,
    'tests/kernel': 40,
    'tests/network': 60,
    'tests/sdk': 20,
    'tests/sync': 80,
    'shared servers': 260,
    all: 560,
  },
  all: {
    'tests/accounts': 400,
    'tests/architecture': 15,
    'tests/cli': 100,
    'tests/dashboard': 150,
    'tests/deploy': 60,
    'tests/gateway': 200,
    'tests/infrastructure': 250,
    'tests/kernel': 150,
    'tests/network': 250,
    'tests/scripts': 70,
    'tests/sdk': 50,
    'tests/sync': 350,
    'shared servers': 600,
    all: 1950,
  },
};
