import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { countOf } from '../../failure.js';
import { run, type Session } from '../../session.js';

const TOKENS = graphql('query { tokens { id name createdAt lastUsedAt lastAddress expiresAt isCurrent } }');
const CREATE = graphql(
  'mutation ($name: String!, $days: Int!) { createToken(name: $name, days: $days) { id name token expiresAt } }',
);
const REVOKE = graphql('mutation ($id: String!) { revokeToken(id: $id) }');

/** Adds `token`. */
export function addTokens(program: Command): void {
  const token = program.command('token').description('tokens of the account');
  token
    .command('create <name>')
    .description('create a token for a program and print it; it cannot be shown again')
    .option('--days <n>', 'days until it expires, 1 to 365', '90')
    .action(run(createToken));
  token.command('list').description('list tokens').action(run(listTokens));
  token
    .command('revoke <id>')
    .description('revoke a token')
    .option(...YES)
    .action(run(revokeToken));
}

async function createToken(
  { client, output }: Session,
  [name = '']: readonly string[],
  { days }: { readonly days: string },
): Promise<void> {
  const { createToken: created } = await client.graphql(CREATE, { name, days: countOf(days) });
  output.record(created);
}

async function listTokens({ client, output }: Session): Promise<void> {
  const { tokens } = await client.graphql(TOKENS);
  output.table(tokens, [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['created', ({ createdAt }) => createdAt],
    ['last used', ({ lastUsedAt }) => lastUsedAt],
    ['from', ({ lastAddress }) => lastAddress],
    ['expires', ({ expiresAt }) => expiresAt],
    ['this one', ({ isCurrent }) => (isCurrent ? 'yes' : '')],
  ]);
}

async function revokeToken(
  { client, output }: Session,
  [id = '']: readonly string[],
  { yes }: Confirmed,
): Promise<void> {
  await confirm(`Revoke the token ${id}?`, yes, 'revoked');
  await client.graphql(REVOKE, { id });
  output.done(`revoked ${id}`, { id });
}
