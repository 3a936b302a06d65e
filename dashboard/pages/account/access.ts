import { graphql, type ResultOf } from '../../graphql/graphql';
import { programOf } from './program';

/** Every token and session. */
export const ACCESS = graphql(`
  {
    tokens {
      id
      name
      createdAt
      expiresAt
      lastUsedAt
      lastAddress
      isCurrent
    }
    sessions {
      id
      label
      userAgent
      createdAt
      expiresAt
      lastUsedAt
      lastAddress
      isCurrent
    }
  }
`);

export type AccessData = ResultOf<typeof ACCESS>;

/** A token or a session: a way in that can be ended. */
export interface Way {
  readonly kind: 'Token' | 'Session';
  readonly id: string;
  readonly name: string;
  /** Of sessions only. */
  readonly label?: string | null;
  readonly userAgent?: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly lastAddress: string | null;
  readonly isCurrent: boolean;
}

/** Tokens and sessions in one list. */
export function waysOf({ tokens, sessions }: AccessData): readonly Way[] {
  return [
    ...tokens.map((token) => ({ ...token, kind: 'Token' as const })),
    ...sessions.map((one) => ({ ...one, kind: 'Session' as const, name: one.label ?? programOf(one.userAgent) })),
  ];
}
