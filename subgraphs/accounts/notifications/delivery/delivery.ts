import type { NoticeKind } from '../notification/notification.js';

/** The jobs that attempt one delivery: to a webhook, by e-mail. */
export const SEND_DELIVERY = 'send-delivery';
export const SEND_EMAIL = 'send-email';

/** A delivery that one worker is about to attempt, with all that it takes. */
export interface Claimed {
  readonly id: string;
  /** Stays the same however often it is sent, so that receivers can tell. */
  readonly messageId: string;
  /** This one included. */
  readonly attempts: number;
  readonly notificationId: string;
  readonly userId: number;
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
  readonly link: string | null;
  readonly createdAt: Date;
  /** Where e-mail goes; null when the user has no address any more. */
  readonly email: string | null;
  /** Null: by e-mail. */
  readonly endpointId: string | null;
  readonly url: string | null;
  readonly isEnabled: boolean | null;
  readonly sealedSecret: string | null;
  /** Of the secret before, while it is valid. */
  readonly sealedPrevious: string | null;
}

/** How an attempt went. */
export interface Outcome {
  readonly isSent: boolean;
  /** A sentence for the user's log. */
  readonly error?: string;
  /** Trying again is of no use. */
  readonly isFinal?: true;
  /** The endpoint said that it is no more. */
  readonly isGone?: true;
  readonly status?: number;
  /** At most 500 characters. */
  readonly body?: string;
}
