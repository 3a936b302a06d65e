import TestSequencer from '@jest/test-sequencer';
import { existsSync } from 'node:fs';

/** Suites of more than 45 seconds. One that began last would run alone at the end, while the other core has nothing to do. */
const LONGEST = [
  'sync/uploads/hostile-store.faults.test.ts',
  'gateway/engine/difference.rules.test.ts',
  'dashboard/pages.browser.test.ts',
  'scripts/bench.faults.test.ts',
  'gateway/http/bodies.faults.test.ts',
  'sync/blob-store/store-health.faults.test.ts',
  'cluster/brief.faults.test.ts',
  'network/drivers/netbird-killed.faults.test.ts',
  'dashboard/network/network.browser.test.ts',
  'accounts/sandbox/deposit.rest.test.ts',
  'dashboard/files/files.browser.test.ts',
  'kernel/backup/backup.faults.test.ts',
  'infrastructure/machines/provider/provider-qemu.faults.test.ts',
  'dashboard/machines.browser.test.ts',
  'infrastructure/storage/unreachable-store.faults.test.ts',
  'dashboard/detail-pages.browser.test.ts',
  'dashboard/session/sign-in.browser.test.ts',
];
for (const name of LONGEST)
  if (!existsSync(new URL(`../../tests/${name}`, import.meta.url))) throw new Error(`there is no suite tests/${name}`);

/** Starts the longest suites first, also on a clean checkout, where jest does not know how long each takes. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const rankOf = ({ path }) => {
      const rank = LONGEST.findIndex((name) => path.endsWith(`/tests/${name}`));
      return rank < 0 ? LONGEST.length : rank;
    };
    // oxlint-disable-next-line no-array-sort -- the method of the superclass
    return super.sort(tests).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
