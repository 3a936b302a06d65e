import { Argument, type Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { amountOf, UsageError } from '../../failure.js';
import { IDEMPOTENCY_KEY, withKey, type Idempotent } from '../../idempotent.js';
import { run, type Session } from '../../session.js';
import { addCatalogue } from './catalogue.js';
import { addDeposits } from './deposits.js';
import { addModelIndex } from './models.js';
import { addNotify } from './notify.js';
import { addPayments } from './payments.js';
import { addReferralReward } from './referral-reward.js';
import { addSigningKey } from './signing-key.js';
import { addStorage } from './storage.js';
import { addTaoPrice } from './tao-price.js';
import { userKeyOf } from './user-key.js';

const GRANT = graphql(`
  mutation ($substrateAddress: String, $userId: Int, $credits: Decimal!, $reason: String!, $idempotencyKey: String!) {
    adminGrantCredits(
      substrateAddress: $substrateAddress
      userId: $userId
      credits: $credits
      reason: $reason
      idempotencyKey: $idempotencyKey
    ) {
      balance
      held
      debt
    }
  }
`);
const SET_ROLES = graphql(`
  mutation ($substrateAddress: String, $userId: Int, $roles: [Role!]!) {
    adminSetRoles(substrateAddress: $substrateAddress, userId: $userId, roles: $roles) {
      id
      roles
    }
  }
`);
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
const GRANT_FLAGGED = graphql(`
  mutation ($id: String!, $credits: Decimal) {
    adminGrantFlaggedPayment(transactionId: $id, credits: $credits) {
      transactionId
      userId
      credits
      hasChanged
    }
  }
`);
const DRIFT = graphql('query { networkDrift { id tenant kind externalId what foundAt repairedAt } }');

const ROLES = ['ADMIN', 'BETA', 'MARKETING', 'SUPERUSER', 'VALIDATOR'] as const;
type Role = (typeof ROLES)[number];

/** Adds `admin`. */
export function addAdmin(program: Command): void {
  const admin = program.command('admin').description('administration; needs a role');
  admin
    .command('grant <user> <credits> [reason]')
    .description('grant credits to the user with an SS58 address or an id')
    .option(...IDEMPOTENCY_KEY)
    .action(run(grant));
  admin
    .command('roles <user>')
    .description('set the roles of the user with an SS58 address or an id')
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
    .command('grant-flagged <transaction> [credits]')
    .description('grant a flagged payment, by default the credits of its transaction')
    .action(run(grantFlagged));
  admin
    .command('drift')
    .description('list changes that others made to private networks on the NetBird server')
    .action(run(listDrift));
  addCatalogue(admin);
  addNotify(admin);
  addPayments(admin);
  addDeposits(admin);
  addTaoPrice(admin);
  addReferralReward(admin);
  addSigningKey(admin);
  addModelIndex(admin);
  addStorage(admin);
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
  session: Session,
  [to = '', amount = '', reason = 'Grant by an administrator']: readonly string[],
  options: Idempotent,
) {
  const { client, output } = session;
  const grantOf = { ...userKeyOf(to), credits: amountOf(amount), reason };
  const { adminGrantCredits } = await withKey(session, options, (idempotencyKey) =>
    client.graphql(GRANT, { ...grantOf, idempotencyKey }, { isRepeatable: true }),
  );
  output.done(`${to} has ${adminGrantCredits.balance} credits`, adminGrantCredits);
}

async function setRoles(
  { client, output }: Session,
  [to = '', ...roles]: readonly string[],
  { yes }: Confirmed,
): Promise<void> {
  if (roles.length === 0) await confirm(`Remove all roles of ${to}?`, yes);
  const { adminSetRoles } = await client.graphql(SET_ROLES, { ...userKeyOf(to), roles: roles.map(roleOf) });
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

async function grantFlagged({ client, output }: Session, [id = '', credits]: readonly string[]): Promise<void> {
  const variables = { id, ...(credits !== undefined && { credits: amountOf(credits) }) };
  const { adminGrantFlaggedPayment } = await client.graphql(GRANT_FLAGGED, variables, { isRepeatable: true });
  const { userId, credits: granted, hasChanged } = adminGrantFlaggedPayment;
  const words = hasChanged ? 'has' : 'already had';
  output.done(`user ${userId} ${words} ${granted} credits for ${id}`, adminGrantFlaggedPayment);
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
