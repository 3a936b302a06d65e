import type { Command } from 'commander';
import { graphql } from '../../../sdk/src/index.js';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { findRow } from '../../find-row.js';
import { run, type Session } from '../../session.js';

const ENROLLMENTS = graphql('query { infraEnrollments { id name vmInstance group peer state createdAt } }');

const DETACH = graphql('mutation ($id: Int!) { deleteInfraEnrollment(id: $id) }');

/** Adds `net infra`. */
export function addInfra(net: Command): void {
  const infra = net.command('infra').description('machines of the platform that are attached to the network');
  infra.command('list').description('list attached machines, oldest first').action(run(listEnrollments));
  infra
    .command('rm <machine>')
    .description('detach a machine from the network')
    .option(...YES)
    .action(run(detachMachine));
}

async function listEnrollments({ client, output }: Session): Promise<void> {
  const { infraEnrollments } = await client.graphql(ENROLLMENTS);
  output.table(infraEnrollments, [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['machine', ({ vmInstance }) => vmInstance],
    ['state', ({ state }) => state],
    ['peer', ({ peer }) => peer],
    ['attached', ({ createdAt }) => createdAt],
  ]);
}

async function detachMachine(session: Session, [word = '']: readonly string[], { yes }: Confirmed): Promise<void> {
  const { client, output, program } = session;
  const { infraEnrollments } = await client.graphql(ENROLLMENTS);
  const list = `${program} net infra list`;
  const { id } = findRow(infraEnrollments, word, { kind: 'attached machine', namesOf: ({ name }) => [name], list });
  await confirm(`Detach ${word} from the network?`, yes, 'detached');
  await client.graphql(DETACH, { id });
  output.done(`detached ${word}`, { id });
}
