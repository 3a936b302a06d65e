import { useClient, type Client } from 'urql';
import { confirm } from '../../components/overlays/confirm';
import { showToast } from '../../components/toasts';
import { graphql } from '../../graphql/graphql';
import type { ShowAtOnce } from '../../graphql/optimistic';
import { codeOf } from '../../graphql/refusal';
import { signOutWords } from '../../app/running-transfers';
import { endSession, session } from '../../session/session';
import type { AccessData, Way } from './access';

const REVOKE_TOKEN = graphql('mutation ($id: String!) { revokeToken(id: $id) }');
const REVOKE_SESSION = graphql('mutation ($id: String!) { revokeSession(id: $id) }');

/** What ends tokens and sessions, after a question. @param onChange loads the list again */
export function useEndings(ways: readonly Way[], showAtOnce: ShowAtOnce<AccessData>, onChange: () => void) {
  const client = useClient();
  const end = async (ended: readonly Way[], words: string) => {
    await showAtOnce(
      (all) => without(all, ended),
      () => endEach(client, ended),
    ).finally(onChange);
    showToast(words);
  };
  const endOne = async (way: Way) => {
    const text = way.isCurrent ? `You use it now: ${signOutWords()}` : 'Whatever uses it is signed out at once.';
    if (!(await confirm({ title: `End this ${way.kind.toLowerCase()}?`, text, action: 'End it' }))) return;
    await end([way], `The ${way.kind.toLowerCase()} is ended.`);
  };
  const others = ways.filter(({ isCurrent }) => !isCurrent);
  const endOthers = async () => {
    const text = 'All tokens and sessions that you do not use now stop working at once.';
    if (!(await confirm({ title: 'End all others?', text, action: 'End all others' }))) return;
    await end(others, 'All others are ended.');
  };
  const endSessions = async () => {
    const text = `Every session stops working at once, also this one: ${signOutWords()} API tokens stay valid.`;
    if (!(await confirm({ title: 'End all sessions?', text, action: 'End all sessions' }))) return;
    const sessions = ways.filter(({ kind, id }) => kind === 'Session' && id !== session.get()?.id);
    // Of those that this one was created from, the oldest ends the others; it comes last, as this one ends with it.
    const origin = sessions.filter(({ isCurrent }) => isCurrent).slice(-1);
    await endEach(client, [...sessions.filter(({ isCurrent }) => !isCurrent), ...origin]).finally(onChange);
    await endSession();
  };
  return { endOne, endOthers, endSessions, hasOthers: others.length > 0 };
}

/** Ends all that it can. @throws the first error; what has ended meanwhile is none */
async function endEach(client: Client, ways: readonly Way[]): Promise<void> {
  const errors: Error[] = [];
  for (const { kind, id } of ways) {
    const { error } = await client.mutation(kind === 'Token' ? REVOKE_TOKEN : REVOKE_SESSION, { id });
    if (error && codeOf(error) !== 'NOT_FOUND') errors.push(error);
  }
  if (errors[0]) throw errors[0];
}

function without({ tokens, sessions }: AccessData, ended: readonly Way[]): AccessData {
  const isLeft = (one: { readonly id: string }) => !ended.some(({ id }) => id === one.id);
  return { tokens: tokens.filter(isLeft), sessions: sessions.filter(isLeft) };
}
