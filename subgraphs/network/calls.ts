import type { PlatformOperation } from '../../kernel/subgraph/call-subgraph.js';

/** The uuid of a virtual machine of a user, by its id or uuid; empty where the user has no such. */
export const VM_OF_USER: PlatformOperation<{ readonly userId: number; readonly id: string }, string> = {
  subgraph: 'infrastructure',
  document: 'query VmOfUser($userId: Int!, $id: ID!) { vmOfUser(userId: $userId, id: $id) }',
  read: ({ vmOfUser: answer }) => (typeof answer === 'string' ? answer : answer === null ? '' : undefined),
};

/** Has a virtual machine looked at, as it has joined its owner's network; again is the same. */
export const LOOK_AT_VM: PlatformOperation<{ readonly uuid: string }, boolean> = {
  subgraph: 'infrastructure',
  document: 'mutation LookAtVm($uuid: ID!) { lookAtVm(uuid: $uuid) }',
  read: ({ lookAtVm }) => (typeof lookAtVm === 'boolean' ? lookAtVm : undefined),
};
