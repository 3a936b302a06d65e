/** The position of a subscription in a user's notifications. */
export interface InboxPosition {
  /** All notifications visible in this snapshot were sent; null: none were. */
  readonly snapshot: string | null;
  /** Later notifications have greater ids. */
  readonly known: string;
  /** Notifications visible in this snapshot with ids up to `known` were sent too. */
  readonly upTo?: string | null;
}
