/** How far a subscription has come. */
export interface InboxPosition {
  /** What is visible in this snapshot was sent; null: nothing was. */
  readonly snapshot: string | null;
  /** Later notifications have greater ids. */
  readonly known: string;
  /** What is visible in this snapshot, up to the id `known`, was sent too. */
  readonly upTo?: string | null;
}
