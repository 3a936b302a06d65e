import type { Command } from 'commander';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { graphql, type ResultOf } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { countOf, UsageError } from '../../failure.js';
import { findRow } from '../../find-row.js';
import { IDEMPOTENCY_KEY } from '../../idempotent.js';
import { run, shellWord, withSession, type Session } from '../../session.js';
import { createMachine, listCatalogue } from './create.js';

const MACHINES = graphql(`
  query {
    vmInstances {
      id
      name
      status
      flavorName
      imageName
      publicIp
      nebulaIp
      sshPort
      isSimulated
      errorMessage
      createdAt
      billing {
        chargedSoFar
        creditsPerHour
        emptyAt
      }
    }
  }
`);
type Machine = ResultOf<typeof MACHINES>['vmInstances'][number];

const ACTIONS = {
  start: graphql('mutation ($id: ID!) { vm: startVm(id: $id) { id name status } }'),
  stop: graphql('mutation ($id: ID!) { vm: stopVm(id: $id) { id name status } }'),
  reboot: graphql('mutation ($id: ID!) { vm: rebootVm(id: $id) { id name status } }'),
  rm: graphql('mutation ($id: ID!) { vm: terminateVm(id: $id) { id name status } }'),
} as const;

/** Actions that end the programs of a machine. */
const INTERRUPTING = [
  {
    action: 'stop',
    help: 'stop a machine',
    question: (name: string) => `Stop ${name}? Its programs end, and it is away until it is started again.`,
    verb: 'stopped',
  },
  {
    action: 'reboot',
    help: 'restart a machine',
    question: (name: string) => `Reboot ${name}? Its programs end, and it is away for a moment.`,
    verb: 'rebooted',
  },
  {
    action: 'rm',
    help: 'terminate a machine and delete its disk',
    question: (name: string) => `Delete ${name} with its disk?`,
    verb: 'deleted',
  },
] as const;

const CONSOLE = graphql('query ($id: ID!, $kib: Int!) { vmConsoleLog(id: $id, kib: $kib) }');

/** Adds `vm`. */
export function addMachines(program: Command): void {
  const vm = program.command('vm').description('virtual machines');
  vm.command('list')
    .description('list machines')
    .action((_options, command: Command) => withSession(command, listMachines));
  vm.command('catalogue')
    .description('list flavors, images and applications')
    .action((_options, command: Command) => withSession(command, listCatalogue));
  vm.command('create <name>')
    .description('create a machine')
    .option('--flavor <name>', 'flavor by name or id (required)')
    .option('--image <name>', 'image by slug, name or id (required)')
    .option('--app <name>', 'application by slug, name or id')
    .option('--key <file>', 'file with the SSH public key (required)')
    .option('--no-join', 'do not join the private network')
    .option('--wait', 'wait until it runs')
    .option(...IDEMPOTENCY_KEY)
    .action((name: string, _options, command: Command) =>
      withSession(command, (session) => createMachine(session, name, command.opts())),
    );
  vm.command('start <machine>')
    .description('start a stopped machine')
    .action(run(async (session, [word = '']) => act(session, await findMachine(session, word), 'start')));
  for (const { action, help, question, verb } of INTERRUPTING)
    vm.command(`${action} <machine>`)
      .description(help)
      .option(...YES)
      .action(
        run(async (session, [word = ''], { yes }: Confirmed) => {
          const machine = await findMachine(session, word);
          await confirm(question(machine.name), yes, verb);
          await act(session, machine, action);
        }),
      );
  vm.command('console <machine>')
    .description('print the end of the console log')
    .option('--kib <count>', 'length in KiB', '16')
    .action((machine: string, _options, command: Command) =>
      withSession(command, (session) => showConsole(session, machine, command.opts())),
    );
  vm.command('ssh <machine> [command...]')
    .description('open a shell on a machine with ssh, or run a command there; the exit status is that of ssh')
    .option('-l, --login <user>', 'user on the machine', 'cloud')
    .option('--print', 'print the ssh command instead')
    .action((machine: string, words: string[], _options, command: Command) =>
      withSession(command, (session) => openShell(session, [machine, ...words], command.opts())),
    );
}

async function listMachines({ client, output }: Session): Promise<void> {
  const { vmInstances } = await client.graphql(MACHINES);
  output.table(vmInstances, [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['status', ({ status }) => status],
    ['flavor', ({ flavorName }) => flavorName],
    ['image', ({ imageName }) => imageName],
    ['address', ({ publicIp }) => publicIp],
    ['overlay', ({ nebulaIp }) => nebulaIp],
    ['credits', ({ billing }) => billing.chargedSoFar],
    ['per hour of running', ({ billing }) => billing.creditsPerHour],
  ]);
}

async function act({ client, output }: Session, { id }: Machine, action: keyof typeof ACTIONS): Promise<void> {
  const { vm } = await client.graphql(ACTIONS[action], { id: String(id) });
  output.done(`${vm.name} is ${vm.status}`, vm);
}

async function showConsole(session: Session, machine: string, { kib }: { readonly kib: string }) {
  const { client, output } = session;
  const { id } = await findMachine(session, machine);
  const { vmConsoleLog } = await client.graphql(CONSOLE, { id: String(id), kib: countOf(kib) });
  if (output.isJson) output.json({ log: vmConsoleLog });
  else output.text(vmConsoleLog ?? '');
}

async function findMachine({ client, program }: Session, word: string): Promise<Machine> {
  const { vmInstances } = await client.graphql(MACHINES);
  return findRow(vmInstances, word, { kind: 'machine', namesOf: ({ name }) => [name], list: `${program} vm list` });
}

async function openShell(
  session: Session,
  [machine = '', ...words]: readonly string[],
  { login, print }: { readonly login: string; readonly print?: boolean },
): Promise<void> {
  const { publicIp, nebulaIp, sshPort, name, isSimulated } = await findMachine(session, machine);
  const address = publicIp ?? nebulaIp;
  if (address === null) throw new UsageError(`${name} has no address yet.`);
  const command = ['ssh', '-p', String(sshPort), `${login}@${address}`, ...words];
  const printed = command.map(shellWord).join(' ');
  if (print === true) return session.output.done(printed, { command });
  if (isSimulated) throw new Error(`${name} is simulated: no host runs it, so it has no shell.`);
  const child = spawn('ssh', command.slice(1), { stdio: 'inherit' });
  const [status] = (await once(child, 'exit').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`ssh is not installed here. The command is: ${printed}`) : error;
  })) as [number | null];
  process.exitCode = status ?? 1;
}
