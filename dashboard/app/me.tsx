import { createContext, useContext, type ReactNode } from 'react';
import { useQuery, type Client } from 'urql';
import { graphql, type ResultOf } from '../graphql/graphql';

const ME = graphql('{ me { id username email substrateAddress roles createdAt } }');

/** The user who is signed in. */
export type Me = ResultOf<typeof ME>['me'];

const Context = createContext<Me | undefined>(undefined);

/** Whether the user holds the role; SUPERUSER implies all. */
export function hasRole({ roles }: Pick<Me, 'roles'>, role: Me['roles'][number]): boolean {
  return roles.includes(role) || roles.includes('SUPERUSER');
}

/** Loads the signed-in user. Shows `fallback` until then, and for an error. */
export function MeProvider({ children, fallback }: { children: ReactNode; fallback: (error: unknown) => ReactNode }) {
  const [{ data, error }] = useQuery({ query: ME });
  if (data) return <Context value={data.me}>{children}</Context>;
  return fallback(error);
}

/** Loads the signed-in user again after a change. */
export async function reloadMe(client: Client): Promise<void> {
  await client.query(ME, {}, { requestPolicy: 'network-only' });
}

/** The user who is signed in. */
export function useMe(): Me {
  const me = useContext(Context);
  if (!me) throw new Error('useMe() is used outside of MeProvider.');
  return me;
}
