import type { NoticeKind } from '../notification/notification.js';

/** The jobs that attempt one delivery: to a webhook, by e-mail. */
export const SEND_DELIVERY = 'send-delivery';
export const SEND_EMAIL = 'send-email';

/** The notification of a delivery. */
export interface DeliveredNotification {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
  readonly link: string | null;
}

/** A delivery claimed by one worker, with everything needed to send it. */
export interface ClaimedDelivery {
  readonly id: string;
  /** The same in every attempt, so that receivers can detect duplicates. */
  readonly messageId: string;
  /** Including this attempt. */
  readonly attempts: number;
  /** Null: a test event. */
  readonly notification: DeliveredNotification | null;
  readonly userId: number;
  /** When the event happened. */
  readonly createdAt: Date;
  /** Recipient; null if the user no longer has an address. */
  readonly email: string | null;
  /** Null: by e-mail. */
  readonly endpointId: string | null;
  readonly url: string | null;
  readonly isEnabled: boolean | null;
  readonly sealedSecret: string | null;
  /** The previous secret, while it is valid. */
  readonly sealedPrevious: string | null;
  /** Those before it, while they are valid. */
  readonly sealedEarlier: readonly string[];
}

/** Result of an attempt. */
export interface Outcome {
  readonly isSent: boolean;
  /** A sentence for the user's log. */
  readonly error?: string;
  /** Do not retry. */
  readonly isFinal?: true;
  /** The endpoint responded with 410 (gone). */
  readonly isGone?: true;
  readonly status?: number;
  /** At most 500 characters. */
  readonly body?: string;
}
