import { Argument, type Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { amountOf, UsageError } from '../../failure.js';
import { run, type Session } from '../../session.js';
import { addCatalogue } from './catalogue.js';

const GRANT = graphql(`
  mutation ($to: String!, $credits: Decimal!, $reason: String!, $idempotencyKey: String!) {
    adminGrantCredits(substrateAddress: $to, credits: $credits, reason: $reason, idempotencyKey: $idempotencyKey) {
      balance
      held
      debt
    }
  }
`);
const SET_ROLES = graphql(
  'mutation ($to: String!, $roles: [Role!]!) { adminSetRoles(substrateAddress: $to, roles: $roles) { id roles } }',
);
const SERVICE_TOKEN = graphql(
  'mutation ($name: String!, $roles: [Role!]!) { adminCreateServiceToken(name: $name, roles: $roles) { id name roles token } }',
);
const SERVICE_TOKENS = graphql('query { serviceTokens { id name roles createdAt } }');
const PROOF = graphql(`
  query {
    ledgerProof {
      holds
      provedAt
      figures {
        users
        transfers
        entries
        sum
        issued
        spent
        balances
        held
        debts
      }
      differences {
        figure
        of
        kept
        added
      }
    }
  }
`);
const FLAGGED = graphql('query { flaggedPayments { transactionId userId reason invoiceId paymentIntentId } }');
const DRIFT = graphql('query { networkDrift { id tenant kind externalId what foundAt repairedAt } }');

const ROLES = ['ADMIN', 'BETA', 'MARKETING', 'SUPERUSER', 'VALIDATOR'] as const;
type Role = (typeof ROLES)[number];

/** Adds `admin`. */
export function addAdmin(program: Command): void {
  const admin = program.command('admin').description('administration; needs a role');
  admin
    .command('grant <address> <credits> [reason]')
    .description('grant credits to the account of an SS58 address')
    .action(run(grant));
  admin
    .command('roles <address>')
    .description('set the roles of an account')
    .addArgument(rolesArgument('[roles...]', 'the new list of roles; leave it out to remove all roles'))
    .option(...YES)
    .action(run(setRoles));
  admin
    .command('service-token <name>')
    .description('create a service token; it is shown only once')
    .addArgument(rolesArgument('<roles...>', 'its roles'))
    .action(run(issueServiceToken));
  admin
    .command('service-tokens')
    .description('list service tokens; revoke one with: token revoke <id>')
    .action(run(listServiceTokens));
  admin
    .command('prove')
    .description('show the last proof of the ledger; exit status 1 if it failed, or if there is none yet')
    .action(run(prove));
  admin.command('flagged').description('list payments that need a decision').action(run(listFlagged));
  admin
    .command('drift')
    .description('list changes that others made to private networks on the NetBird server')
    .action(run(listDrift));
  addCatalogue(admin);
}

/** An argument for roles, in upper or lower case. */
function rolesArgument(flags: string, description: string): Argument {
  return new Argument(flags, description).choices(ROLES).argParser(roleOf);
}

/** @throws UsageError when the word is no role */
function roleOf(word: string): Role {
  const role = ROLES.find((known) => known === word.toUpperCase());
  if (role === undefined) throw new UsageError(`"${word}" is not a role: the roles are ${ROLES.join(', ')}.`);
  return role;
}

async function grant(
  { client, output }: Session,
  [to = '', credits = '', reason = 'Grant by an administrator']: readonly string[],
) {
  const { adminGrantCredits } = await client.graphql(GRANT, {
    to,
    credits: amountOf(credits),
    reason,
    idempotencyKey: randomUUID(),
  });
  output.done(`${to} has ${adminGrantCredits.balance} credits`, adminGrantCredits);
}

async function setRoles(
  { client, output }: Session,
  [to = '', ...roles]: readonly string[],
  { yes }: Confirmed,
): Promise<void> {
  if (roles.length === 0) await confirm(`Remove all roles of ${to}?`, yes);
  const { adminSetRoles } = await client.graphql(SET_ROLES, { to, roles: roles.map(roleOf) });
  output.done(`${to} has the roles ${adminSetRoles.roles.join(', ') || 'none'}`, adminSetRoles);
}

async function issueServiceToken({ client, output }: Session, [name = '', ...roles]: readonly string[]) {
  const { adminCreateServiceToken } = await client.graphql(SERVICE_TOKEN, { name, roles: roles.map(roleOf) });
  output.record(adminCreateServiceToken);
}

async function listServiceTokens({ client, output }: Session): Promise<void> {
  const { serviceTokens } = await client.graphql(SERVICE_TOKENS);
  output.table(serviceTokens, [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['roles', ({ roles }) => roles.join(', ')],
    ['created', ({ createdAt }) => createdAt],
  ]);
}

async function prove({ client, output }: Session): Promise<void> {
  const { ledgerProof } = await client.graphql(PROOF);
  if (!ledgerProof) throw new Error('There is no proof yet; the platform checks the ledger every night.');
  if (output.isJson) output.json(ledgerProof);
  else {
    const { holds, provedAt, figures, differences } = ledgerProof;
    output.record({ holds, provedAt, ...figures });
    for (const { figure, of, kept, added } of differences)
      output.line(`${of}, ${figure}: stored ${kept}, calculated ${added}`);
  }
  if (!ledgerProof.holds) process.exitCode = 1;
}

async function listFlagged({ client, output }: Session): Promise<void> {
  const { flaggedPayments } = await client.graphql(FLAGGED);
  output.table(flaggedPayments, [
    ['transaction', ({ transactionId }) => transactionId],
    ['user', ({ userId }) => userId],
    ['reason', ({ reason }) => reason],
    ['invoice', ({ invoiceId }) => invoiceId],
  ]);
}

async function listDrift({ client, output }: Session): Promise<void> {
  const { networkDrift } = await client.graphql(DRIFT);
  output.table(networkDrift, [
    ['found', ({ foundAt }) => foundAt],
    ['tenant', ({ tenant }) => tenant],
    ['kind', ({ kind }) => kind],
    ['change', ({ what }) => what],
    ['repaired', ({ repairedAt }) => repairedAt],
  ]);
}
