import { Client, fetchExchange } from 'urql';
import { graphql } from '../graphql/graphql';
import { endSession, type Session } from './session';

const CURRENT = graphql('{ tokens { id isCurrent } }');
const REVOKE = graphql('mutation ($id: String!) { revokeToken(id: $id) }');

/** Signs out. Revokes the token if the sign-in page got it; a pasted token stays valid. */
export async function signOut({ token, isOurs }: Session): Promise<void> {
  endSession();
  if (!isOurs) return;
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Token ${token}` } },
    exchanges: [fetchExchange],
  });
  const { data } = await client.query(CURRENT, {});
  const current = data?.tokens.find(({ isCurrent }) => isCurrent);
  if (current) await client.mutation(REVOKE, { id: current.id });
}
