/** Says that something changed, not what: subscribers read again, so a lost or duplicate event does no harm. */
export interface PlatformEvent {
  /** E.g. `topology:17`. */
  readonly topic: string;
  /** Identifies one object of the topic; undefined: any of them, because events may have been missed. */
  readonly id?: string;
}

/** Events of one subgraph, from this process and from others. */
export interface Events {
  /** Streams the events of the topics from this call on; the same event is never pending twice. Ends with the signal. */
  subscribe(topics: readonly string[], signal: AbortSignal): AsyncIterableIterator<PlatformEvent>;
  /** Publishes a committed change; subscribers in this process get it at once. */
  publish(event: PlatformEvent): void;
  /** Undefined if PostgreSQL does not transport events. */
  readonly postgres?: {
    /** The channel of LISTEN and NOTIFY. */
    readonly channel: string;
    /** The `application_name` by which other processes detect that this one is alive. */
    readonly processName: string;
  };
  /** Closes after all published events are sent. */
  close(): Promise<void>;
}
