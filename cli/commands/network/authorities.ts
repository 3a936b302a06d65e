import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { countOf, idOf } from '../../failure.js';
import { run, type Session } from '../../session.js';

const AUTHORITIES = graphql(
  'query { networkAuthorities { generation state signsFrom trustedUntil fingerprint createdAt } }',
);

const ROTATE = graphql(`
  mutation ($overlapHours: Int!, $tenant: Int) {
    rotateNetworkAuthority(overlapHours: $overlapHours, tenantId: $tenant) {
      generation
      state
      signsFrom
      trustedUntil
      fingerprint
      createdAt
    }
  }
`);

interface Rotation extends Confirmed {
  readonly overlapHours: string;
  readonly tenant?: string;
}

/** Adds `net authority`. */
export function addAuthorities(net: Command): void {
  const authority = net.command('authority').description('authorities that sign the certificates of the network');
  authority.command('list').description('list authorities, newest first').action(run(listAuthorities));
  authority
    .command('rotate')
    .description('make the next authority; it signs two minutes later, and machines renew by themselves')
    .option(
      '--overlap-hours <n>',
      'hours for which the earlier one stays trusted, 1 to 8760; certificates end early with less than 720',
      '720',
    )
    .option('--tenant <id>', 'another private network, for administrators')
    .option(...YES)
    .action(run(rotateAuthority));
}

async function listAuthorities({ client, output }: Session): Promise<void> {
  const { networkAuthorities } = await client.graphql(AUTHORITIES);
  output.table(networkAuthorities, [
    ['authority', ({ generation }) => generation],
    ['state', ({ state }) => state],
    ['signs from', ({ signsFrom }) => signsFrom],
    ['trusted until', ({ trustedUntil }) => trustedUntil],
    ['fingerprint', ({ fingerprint }) => fingerprint],
  ]);
}

async function rotateAuthority(
  { client, output }: Session,
  _args: readonly string[],
  { overlapHours, tenant, yes }: Rotation,
): Promise<void> {
  const variables = { overlapHours: countOf(overlapHours), tenant: tenant === undefined ? null : idOf(tenant) };
  await confirm(`Make another authority? The present one ends ${overlapHours} hours after it.`, yes, 'rotated');
  const { rotateNetworkAuthority } = await client.graphql(ROTATE, variables);
  const [newest] = rotateNetworkAuthority;
  output.done(`authority ${newest?.generation} signs from ${newest?.signsFrom}`, rotateNetworkAuthority);
}
