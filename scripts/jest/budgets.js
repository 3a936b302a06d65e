/**
 * CPU seconds that each folder may use, by command; `npm test` with paths has none. What is shared is the PostgreSQL and
 * the platforms that are started once. A minute for the checks comes to it: two cores have 600 seconds in the five minutes
 * of `npm test`, and 3,000 in the 25 minutes of `npm run test:all`.
 */
export const BUDGETS = {
  quick: {
    'tests/architecture': 10,
    'tests/faults': 120,
    'tests/federation': 5,
    'tests/rest': 100,
    'tests/rules': 35,
    'tests/subgraphs': 25,
    'tests/subscriptions': 5,
    'shared servers': 260,
    all: 560,
  },
  all: {
    'tests/architecture': 10,
    'tests/faults': 900,
    'tests/federation': 10,
    'tests/rest': 200,
    'tests/rules': 35,
    'tests/subgraphs': 50,
    'tests/subscriptions': 10,
    'shared servers': 600,
    all: 1800,
  },
};
