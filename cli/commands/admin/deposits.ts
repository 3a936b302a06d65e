import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { countOf } from '../../failure.js';
import { byNumber, rowsUpTo } from '../../pages.js';
import { run, type Session } from '../../session.js';

const ADDRESSES = graphql(`
  query ($isPaid: Boolean!, $page: Int, $pageSize: Int) {
    adminDepositAddresses(isPaid: $isPaid, page: $page, pageSize: $pageSize) {
      count
      results {
        derivationIndex
        chain
        currency
        address
        received
        status
        transactionId
      }
    }
  }
`);
const SCAN = graphql('mutation { adminRunDepositWatch { chain network blockNumber open updatedAt } }');

interface AddressFilter {
  readonly paid?: boolean;
  readonly limit: string;
}

/** Adds `admin deposits`. */
export function addDeposits(admin: Command): void {
  const deposits = admin.command('deposits').description('payments in crypto');
  deposits
    .command('list')
    .description('list deposit addresses with the index of each key, to collect what they received')
    .option('--paid', 'only addresses that received a payment')
    .option('-n, --limit <count>', 'maximum number of addresses', '50')
    .action(run(listAddresses));
  deposits
    .command('scan')
    .description('scan every chain for payments now, instead of within a minute')
    .action(run(scanChains));
}

async function listAddresses(
  { client, output }: Session,
  _args: readonly string[],
  { paid = false, limit }: AddressFilter,
): Promise<void> {
  const addresses = await rowsUpTo({
    limit: countOf(limit),
    option: '--limit',
    read: byNumber(async (pageSize, page) => {
      const { adminDepositAddresses } = await client.graphql(ADDRESSES, { isPaid: paid, page, pageSize });
      return { rows: adminDepositAddresses.results, total: adminDepositAddresses.count };
    }),
  });
  output.table(addresses, [
    ['index', ({ derivationIndex }) => derivationIndex],
    ['chain', ({ chain }) => chain],
    ['currency', ({ currency }) => currency],
    ['address', ({ address }) => address],
    ['received', ({ received }) => received],
    ['status', ({ status }) => status],
    ['transaction', ({ transactionId }) => transactionId],
  ]);
}

async function scanChains({ client, output }: Session): Promise<void> {
  const { adminRunDepositWatch } = await client.graphql(SCAN);
  output.table(adminRunDepositWatch, [
    ['chain', ({ chain }) => chain],
    ['network', ({ network }) => network],
    ['block', ({ blockNumber }) => blockNumber],
    ['not credited', ({ open }) => open],
    ['scanned', ({ updatedAt }) => updatedAt],
  ]);
}
