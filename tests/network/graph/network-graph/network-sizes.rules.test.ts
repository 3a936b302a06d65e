import { expect, it } from '@jest/globals';
import { errorCode } from '../../../../kernel/errors.js';
import { checkSizes, type GraphSizes } from '../../../../subgraphs/network/graph/tenant/tenant.rules.js';

const FULL: GraphSizes = {
  groups: 1_000,
  networks: 200,
  resources: 1_000,
  routers: 500,
  memberships: 20_000,
  resourceMemberships: 20_000,
  policies: 2_000,
  ports: 5_000,
  routes: 20_000,
};

function refusalOf(sizes: GraphSizes): string | undefined {
  try {
    checkSizes(FULL, sizes);
  } catch (error) {
    return errorCode(error);
  }
  return undefined;
}

it.each(Object.keys(FULL) as (keyof GraphSizes)[])('a private network has no more %s than it may', (kind) => {
  expect([refusalOf(FULL), refusalOf({ ...FULL, [kind]: FULL[kind] + 1 })]).toEqual([undefined, 'CONFLICT']);
});
