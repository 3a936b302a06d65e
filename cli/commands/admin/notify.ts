import { Option, type Command } from 'commander';
import { graphql, type VariablesOf } from '../../../sdk/src/index.js';
import { IDEMPOTENCY_KEY, withKey, type Idempotent } from '../../idempotent.js';
import { run, type Session } from '../../session.js';
import { userKeyOf } from './user-key.js';

const NOTIFY = graphql(`
  mutation (
    $substrateAddress: String
    $userId: Int
    $kind: NotificationKind!
    $title: String!
    $text: String!
    $link: String
    $severity: NotificationSeverity
    $idempotencyKey: String!
  ) {
    isNew: adminNotify(
      substrateAddress: $substrateAddress
      userId: $userId
      kind: $kind
      title: $title
      text: $text
      link: $link
      severity: $severity
      idempotencyKey: $idempotencyKey
    )
  }
`);

type Kind = VariablesOf<typeof NOTIFY>['kind'];
type Severity = NonNullable<VariablesOf<typeof NOTIFY>['severity']>;

const KINDS = [
  'account',
  'file_status',
  'low_credit',
  'machine',
  'marketing',
  'payment',
  'peer',
  'policy',
  'subscription_ending',
  'zero_balance',
] as const satisfies readonly Kind[];

const SEVERITIES = ['info', 'warning', 'critical'] as const satisfies readonly Severity[];

interface NotificationOptions extends Idempotent {
  readonly kind: Kind;
  readonly severity?: Severity;
  readonly link?: string;
}

/** Adds `admin notify`. */
export function addNotify(admin: Command): void {
  admin
    .command('notify <user> <title> <text>')
    .description('notify the user with an SS58 address or an id')
    .addOption(new Option('--kind <kind>', 'kind, by which users turn off e-mail').choices(KINDS).default('account'))
    .addOption(new Option('--severity <severity>', 'how urgent it is; default: as its kind').choices(SEVERITIES))
    .option('--link <path>', 'path of a page of the dashboard, such as /billing')
    .option(...IDEMPOTENCY_KEY)
    .action(run(notify));
}

async function notify(
  session: Session,
  [user = '', title = '', text = '']: readonly string[],
  { kind, severity, link, ...idempotent }: NotificationOptions,
): Promise<void> {
  const { client, output } = session;
  const notification = { ...userKeyOf(user), kind, title, text, link: link ?? null, severity: severity ?? null };
  const sent = await withKey(session, idempotent, (idempotencyKey) =>
    client.graphql(NOTIFY, { ...notification, idempotencyKey }, { isRepeatable: true }),
  );
  output.done(`${user} ${sent.isNew ? 'is notified' : 'was notified before'}`, sent);
}
