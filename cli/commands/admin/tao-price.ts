import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { amountOf, countOf } from '../../failure.js';
import { run, type Session } from '../../session.js';

const LATEST = graphql(
  'query { price: latestTokenPrice { priceUsd blockNumber source isStale ageSeconds createdAt } }',
);
const RECORD = graphql(`
  mutation ($usd: Decimal!, $block: Int!) {
    price: adminRecordTokenPrice(priceUsd: $usd, blockNumber: $block) {
      priceUsd
      blockNumber
      source
      isStale
      ageSeconds
      createdAt
    }
  }
`);
const REFRESH = graphql(
  'mutation { price: adminRefreshTokenPrice { priceUsd blockNumber source isStale ageSeconds createdAt } }',
);

/** Adds `admin tao-price`. */
export function addTaoPrice(admin: Command): void {
  const price = admin.command('tao-price').description('price of TAO in US dollars');
  price.command('show').description('show the latest price').action(run(showPrice));
  price
    .command('record <usd> <block>')
    .description('record the price at a block, if its sources disagree or are unavailable')
    .action(run(recordPrice));
  price
    .command('refresh')
    .description('fetch the price from its sources now, instead of within a minute')
    .action(run(refreshPrice));
}

async function showPrice({ client, output }: Session): Promise<void> {
  output.record((await client.graphql(LATEST)).price);
}

async function recordPrice({ client, output }: Session, [usd = '', block = '']: readonly string[]): Promise<void> {
  output.record((await client.graphql(RECORD, { usd: amountOf(usd), block: countOf(block) })).price);
}

async function refreshPrice({ client, output }: Session): Promise<void> {
  output.record((await client.graphql(REFRESH)).price);
}
