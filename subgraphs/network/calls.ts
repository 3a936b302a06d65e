import type { PlatformOperation } from '../../kernel/subgraph/call-subgraph.js';

/** Returns the uuid of a user's virtual machine, by id or uuid; empty if the user has no such machine. */
export const VM_OF_USER: PlatformOperation<{ readonly userId: number; readonly id: string }, string> = {
  subgraph: 'infrastructure',
  document: 'query VmOfUser($userId: Int!, $id: ID!) { vmOfUser(userId: $userId, id: $id) }',
  read: ({ vmOfUser: answer }) => (typeof answer === 'string' ? answer : answer === null ? '' : undefined),
};

/** Notifies a user, once per key. */
export const NOTIFY_USER: PlatformOperation<
  {
    readonly userId: number;
    readonly kind: 'peer' | 'policy';
    readonly key: string;
    readonly title: string;
    readonly text: string;
    readonly link: string;
    /** Null: that of the kind. */
    readonly severity: 'warning' | null;
  },
  boolean
> = {
  subgraph: 'accounts',
  document: `mutation NotifyNetworkOwner($userId: Int!, $kind: NotificationKind!, $key: String!, $title: String!, $text: String!, $link: String, $severity: NotificationSeverity) {
    tellUser(userId: $userId, kind: $kind, key: $key, title: $title, text: $text, link: $link, severity: $severity)
  }`,
  read: ({ tellUser }) => (typeof tellUser === 'boolean' ? tellUser : undefined),
};

/** Asks infrastructure to poll a virtual machine that has joined its owner's network. Safe to repeat. */
export const POLL_VM: PlatformOperation<{ readonly uuid: string }, boolean> = {
  subgraph: 'infrastructure',
  document: 'mutation LookAtVm($uuid: ID!) { lookAtVm(uuid: $uuid) }',
  read: ({ lookAtVm }) => (typeof lookAtVm === 'boolean' ? lookAtVm : undefined),
};
