import { Option, type Command } from 'commander';
import { graphql, type VariablesOf } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { countOf } from '../../failure.js';
import { counted } from '../../output.js';
import { byNumber, rowsUpTo } from '../../pages.js';
import { run, type Session } from '../../session.js';
import { userKeyOf } from './user-key.js';

const EVENTS = graphql(`
  query ($status: ProcessorEventStatus, $page: Int, $pageSize: Int) {
    processorEvents(status: $status, page: $page, pageSize: $pageSize) {
      count
      results {
        id
        type
        status
        note
        waitsFor
        occurredAt
        receivedAt
      }
    }
  }
`);
const RECONCILE = graphql('mutation { adminReconcilePayments { replayed remaining } }');
const LINK = graphql(`
  mutation ($substrateAddress: String, $userId: Int, $customer: String!) {
    adminLinkCustomer(substrateAddress: $substrateAddress, userId: $userId, customerId: $customer) {
      replayed
      remaining
    }
  }
`);
const UNLINK = graphql(`
  mutation ($substrateAddress: String, $userId: Int, $customer: String!) {
    adminUnlinkCustomer(substrateAddress: $substrateAddress, userId: $userId, customerId: $customer) {
      hasChanged
    }
  }
`);

type Status = NonNullable<VariablesOf<typeof EVENTS>['status']>;

const STATUSES = ['processed', 'ignored', 'parked', 'flagged', 'failed'] as const satisfies readonly Status[];

interface EventFilter {
  readonly status?: Status;
  readonly limit: string;
}

/** Adds `admin payments`. */
export function addPayments(admin: Command): void {
  const payments = admin.command('payments').description('payments at the payment processor');
  payments
    .command('events')
    .description('list events of the payment processor, newest first')
    .addOption(new Option('--status <status>', 'only events in this state').choices(STATUSES))
    .option('-n, --limit <count>', 'maximum number of events', '50')
    .action(run(listEvents));
  payments
    .command('reconcile')
    .description('compare payments with the payment processor now, and process what was missed')
    .action(run(reconcile));
  payments
    .command('link <user> <customer>')
    .description('link a customer record of the payment processor to the user with an SS58 address or an id')
    .action(run(linkCustomer));
  payments
    .command('unlink <user> <customer>')
    .description('unlink a customer record; its later events wait until it is linked again')
    .option(...YES)
    .action(run(unlinkCustomer));
}

async function listEvents(
  { client, output }: Session,
  _args: readonly string[],
  { status, limit }: EventFilter,
): Promise<void> {
  const events = await rowsUpTo({
    limit: countOf(limit),
    option: '--limit',
    read: byNumber(async (pageSize, page) => {
      const { processorEvents } = await client.graphql(EVENTS, { status: status ?? null, page, pageSize });
      return { rows: processorEvents.results, total: processorEvents.count };
    }),
  });
  output.table(events, [
    ['id', ({ id }) => id],
    ['occurred', ({ occurredAt }) => occurredAt],
    ['type', ({ type }) => type],
    ['status', (event) => event.status],
    ['waits for', ({ waitsFor }) => waitsFor],
    ['note', ({ note }) => note],
  ]);
}

async function reconcile({ client, output }: Session): Promise<void> {
  const { adminReconcilePayments } = await client.graphql(RECONCILE);
  output.done(sentenceOf(adminReconcilePayments), adminReconcilePayments);
}

async function linkCustomer({ client, output }: Session, [user = '', customer = '']: readonly string[]) {
  const { adminLinkCustomer } = await client.graphql(LINK, { ...userKeyOf(user), customer });
  output.done(`${customer} is linked to ${user}; ${sentenceOf(adminLinkCustomer)}`, adminLinkCustomer);
}

async function unlinkCustomer(
  { client, output }: Session,
  [user = '', customer = '']: readonly string[],
  { yes }: Confirmed,
): Promise<void> {
  await confirm(`Unlink ${customer} from ${user}? Its later payments wait.`, yes, 'unlinked');
  const variables = { ...userKeyOf(user), customer };
  const { adminUnlinkCustomer } = await client.graphql(UNLINK, variables, { isRepeatable: true });
  const words = adminUnlinkCustomer.hasChanged ? 'is unlinked' : 'was not linked';
  output.done(`${customer} ${words}`, adminUnlinkCustomer);
}

function sentenceOf({ replayed, remaining }: { readonly replayed: number; readonly remaining: number }): string {
  const processed = counted(replayed, 'event was processed', 'events were processed');
  return `${processed}, ${counted(remaining, 'is', 'are')} parked, flagged or failed`;
}
