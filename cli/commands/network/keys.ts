import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { findRow } from '../../find-row.js';
import { run, type Session } from '../../session.js';

const KEYS = graphql('query { setupKeys { id key name state peer createdAt expiresAt } }');

const REVOKE = graphql('mutation ($id: Int!) { revokeSetupKey(id: $id) }');

/** Adds `net key`. */
export function addKeys(net: Command): void {
  const key = net.command('key').description('setup keys, by which machines join');
  key.command('list').description('list setup keys').action(run(listKeys));
  key
    .command('revoke <key>')
    .alias('rm')
    .description('revoke a setup key; a machine that used it stays')
    .option(...YES)
    .action(run(revokeKey));
}

async function listKeys({ client, output }: Session): Promise<void> {
  const { setupKeys } = await client.graphql(KEYS);
  output.table(setupKeys, [
    ['id', ({ id }) => id],
    ['key', ({ key }) => key],
    ['machine', ({ name }) => name],
    ['state', ({ state }) => state],
    ['created', ({ createdAt }) => createdAt],
    ['expires', ({ expiresAt }) => expiresAt],
  ]);
}

async function revokeKey(session: Session, [word = '']: readonly string[], { yes }: Confirmed): Promise<void> {
  const { client, output, program } = session;
  const { setupKeys } = await client.graphql(KEYS);
  const list = `${program} net key list`;
  const { id } = findRow(setupKeys, word, { kind: 'setup key', namesOf: ({ name }) => [name], list });
  await confirm(`Revoke the setup key ${word}?`, yes, 'revoked');
  await client.graphql(REVOKE, { id });
  output.done(`revoked ${word}`, { id });
}
