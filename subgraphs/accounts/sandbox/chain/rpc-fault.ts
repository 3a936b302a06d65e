import { isStorable } from '../../../../kernel/scalars/text.js';
import type { AccountsRuntime } from '../../services.js';

/** An error of a JSON-RPC method. Source: JSON-RPC 2.0, Error object */
export class RpcFault extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** An error for invalid parameters. */
export function invalidParams(message: string): RpcFault {
  return new RpcFault(-32602, message);
}

/** Methods by name. The parameters are not validated before. */
export type RpcMethods = Readonly<
  Record<string, (runtime: AccountsRuntime, params: readonly unknown[]) => Promise<unknown>>
>;

/** Reads a list of strings; a single string counts as a list of one. @throws RpcFault */
export function textsOf(value: unknown, max: number): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.filter((item): item is string => typeof item === 'string' && isStorable(item));
  if (texts.length !== list.length || list.length > max) throw invalidParams(`Give 1 to ${max} texts.`);
  return texts.map((text) => text.toLowerCase());
}
