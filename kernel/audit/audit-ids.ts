import type { AuditId } from './audit-entry.js';

type Values = Readonly<Record<string, unknown>>;

/** Arguments with these names hold ids. A test checks that no argument with text, a file name or a secret matches. */
const NAME = /^(?:id|ids|uuid|peer|folderHash|reference|substrateAddress|ownerAddress|accountSs58|groups)$|[a-z]Ids?$/;

/** Format of an id. It has no spaces, so free text never matches. */
const ID = /^[\w.:@/-]{1,128}$/;

/** Maximum ids of one entry, of each kind. */
export const MAX_IDS = 100;

/** Whether an argument or field of this name holds ids. */
export function isIdName(name: string): boolean {
  return NAME.test(name);
}

/** Returns the ids among the arguments of a mutation. */
export function argumentIdsIn(args: Values): AuditId[] {
  return ownIds(args).slice(0, MAX_IDS);
}

/** Returns the ids of an object or of a list of objects, including those of the objects directly in them. */
export function resultIdsIn(result: unknown): AuditId[] {
  const objects = Array.isArray(result) ? result.slice(0, MAX_IDS) : [result];
  return objects.flatMap(idsWithNested).slice(0, MAX_IDS);
}

function idsWithNested(value: unknown): AuditId[] {
  if (!isObject(value)) return [];
  const nested = Object.entries(value).flatMap(([name, part]) =>
    isObject(part) ? ownIds(part).map((id) => ({ name: `${name}.${id.name}`, value: id.value })) : [],
  );
  return [...ownIds(value), ...nested];
}

function ownIds(value: Values): AuditId[] {
  return Object.entries(value).flatMap(([name, field]) =>
    isIdName(name) ? textsOf(field).map((text) => ({ name, value: text })) : [],
  );
}

function textsOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value.slice(0, MAX_IDS) : [value];
  return items
    .filter(isScalar)
    .map(String)
    .filter((text) => ID.test(text));
}

function isScalar(value: unknown): value is string | number | bigint {
  return ['string', 'number', 'bigint'].includes(typeof value);
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
