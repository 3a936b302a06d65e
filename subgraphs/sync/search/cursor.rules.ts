import { invalidCursor } from '../../../kernel/paging/paging.js';
import { int64Text } from '../../../kernel/scalars/scalars.js';
import { isStorable } from '../../../kernel/scalars/text.js';
import type { Order } from './search.rules.js';

/** Position of the last file of a page in its order. */
export interface Cursor {
  readonly sortValue: string;
  /** Hex. */
  readonly pathHash: string;
  /** Of its row; whole number as digits. */
  readonly rowId: string;
}

/** Encodes a cursor for clients. */
export function writeCursor(
  { column, descending }: Order,
  { sortValue, fileId, rowId }: { readonly sortValue: string; readonly fileId: string; readonly rowId: string },
): string {
  return Buffer.from(JSON.stringify([column, descending, sortValue, fileId, rowId])).toString('base64url');
}

/** @throws BAD_REQUEST for a cursor of another order */
export function readCursor(order: Order, text: string | null | undefined): Cursor | undefined {
  if (text === null || text === undefined) return undefined;
  const [column, descending, sortValue, pathHash, rowId] = parse(text);
  const isOfOrder = column === order.column && descending === order.descending;
  const isOfColumn = order.column === 'file_name' ? isStorable : isInteger;
  if (!isOfOrder || !isText(sortValue, isOfColumn) || !isText(pathHash, isHash) || !isText(rowId, isInteger))
    throw invalidCursor();
  return { sortValue, pathHash, rowId };
}

function isText(value: unknown, isSuch: (text: string) => boolean): value is string {
  return typeof value === 'string' && isSuch(value);
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function isInteger(text: string): boolean {
  return int64Text(text) !== undefined;
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
