import { randomUUID } from 'node:crypto';

/** Ids of one millisecond in this process have increasing numbers of 12 bits. */
const NUMBERS = 4_096;
let number = 0;

/** Returns a UUID of version 7, so that ids are in the order of their times. Source: RFC 9562, 5.7 */
export function timeOrderedId(time: Date): string {
  number = (number + 1) % NUMBERS;
  return `${prefixOf(time)}-7${number.toString(16).padStart(3, '0')}-${randomUUID().slice(19)}`;
}

/** Returns a UUID that is below the ids from this time on and above all earlier ones. */
export function lowestIdAt(time: Date): string {
  return `${prefixOf(time)}-0000-0000-000000000000`;
}

function prefixOf(time: Date): string {
  const digits = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
