/**
 * CPU seconds that each folder may use, by command: a quarter more than on 2026-11-28, on two cores without other work. `npm test`
 * with paths has no budget. The shared servers are PostgreSQL and the platforms, which start once. The checks use another minute.
 * Two cores have 600 CPU seconds in the five minutes of `npm test`, and 3,000 in the 25 minutes of `npm run test:all`.
 */
export const BUDGETS = {
  quick: {
    'tests/accounts': 55,
    'tests/architecture': 15,
    'tests/cli': 22,
    'tests/cluster': 1,
    'tests/deploy': 10,
    'tests/gateway': 65,
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
    'tests/cli': 105,
    'tests/cluster': 75,
    'tests/dashboard': 320,
    'tests/deploy': 75,
    'tests/gateway': 420,
    'tests/infrastructure': 160,
    'tests/kernel': 300,
    'tests/network': 125,
    'tests/scripts': 85,
    'tests/sdk': 25,
    'tests/sync': 220,
    'shared servers': 700,
    all: 2850,
  },
};
