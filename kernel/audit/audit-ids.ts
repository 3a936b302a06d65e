import type { AuditId } from './audit-entry.js';

type Values = Readonly<Record<string, unknown>>;

/** Names of ids. Texts, file names and secrets have others, which a test of all arguments checks. */
const NAME =
  /^(?:id|ids|uuid|peer|folderHash|reference|substrateAddress|ownerAddress|accountSs58|groups)$|(?:[a-z]Id|[a-z]Ids)$/;

/** An id as text: no spaces, so that no sentence is one. */
const ID = /^[\w.:@/-]{1,128}$/;

/** Maximum ids of one entry. */
const MAX_IDS = 100;

/** Whether an argument or field of this name holds ids. */
export function isIdName(name: string): boolean {
  return NAME.test(name);
}

/** Returns the ids among the arguments of a mutation. */
export function argumentIdsIn(args: Values): AuditId[] {
  return ownIds(args).slice(0, MAX_IDS);
}

/** Returns the ids in a result: of an object, of the objects in it, or of those in a list. */
export function resultIdsIn(result: unknown): AuditId[] {
  const objects = Array.isArray(result) ? result.slice(0, MAX_IDS) : [result];
  return objects.flatMap(deepIds).slice(0, MAX_IDS);
}

function deepIds(value: unknown): AuditId[] {
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
  if (Array.isArray(value))
    return value.slice(0, MAX_IDS).flatMap((item: unknown) => (isScalar(item) ? textsOf(item) : []));
  const text = isScalar(value) ? String(value) : '';
  return ID.test(text) ? [text] : [];
}

function isScalar(value: unknown): value is string | number | bigint {
  return ['string', 'number', 'bigint'].includes(typeof value);
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
