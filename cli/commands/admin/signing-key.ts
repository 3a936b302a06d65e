import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { run, type Session } from '../../session.js';

const ROTATE = graphql('mutation { adminRotateSigningKey { kid createdAt } }');

/** Adds `admin signing-key`. */
export function addSigningKey(admin: Command): void {
  const key = admin.command('signing-key').description('key that signs access tokens');
  key
    .command('rotate')
    .description('sign new tokens by a new key; tokens of the earlier one stay valid')
    .option(...YES)
    .action(run(rotateKey));
}

async function rotateKey({ client, output }: Session, _args: readonly string[], { yes }: Confirmed): Promise<void> {
  await confirm('Sign new tokens by a new key?', yes, 'rotated');
  const { adminRotateSigningKey } = await client.graphql(ROTATE);
  output.done(`new tokens are signed by the key ${adminRotateSigningKey.kid}`, adminRotateSigningKey);
}
