import type { PlatformOperation } from '../../kernel/ask.js';

/** The uuid of a virtual machine of a user, by its id or uuid; empty where the user has no such. */
export const VM_OF_USER: PlatformOperation<{ readonly userId: number; readonly id: string }, string> = {
  subgraph: 'infrastructure',
  document: 'query VmOfUser($userId: Int!, $id: ID!) { vmOfUser(userId: $userId, id: $id) }',
  read: ({ vmOfUser: answer }) => (typeof answer === 'string' ? answer : answer === null ? '' : undefined),
};
