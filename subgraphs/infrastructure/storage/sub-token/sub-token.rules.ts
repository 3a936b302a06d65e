import { badRequest } from '../../../../kernel/errors.js';
import { checkLine, isLine, isStorable, unstorable } from '../../../../kernel/scalars/text.js';
import { readCidr } from '../grant/cidr.rules.js';
import type { SubTokenAction, SubTokenScope } from '../grant/grant.js';

/** Maximum length of each list of a sub-token. */
const MAX_BUCKETS = 100;
const MAX_PREFIXES = 50;
const MAX_ADDRESSES = 50;

/** Maximum length of a key in bytes. Source: Amazon S3, Creating object key names */
const MAX_KEY_LENGTH = 1_024;

/** Input for a new sub-token. */
export interface SubTokenInput {
  readonly name: string;
  readonly scopeType: SubTokenScope;
  readonly bucketNames: readonly string[];
  readonly actions: readonly SubTokenAction[];
  readonly allowedPrefixes: readonly string[];
  readonly ipAllowlist: readonly string[];
  readonly notBefore: Date | null;
  readonly expiresAt: Date | null;
  readonly parentId: number | null;
}

/** Validates and normalizes the input: removes duplicates and writes addresses as CIDRs. @throws BAD_REQUEST */
export function readSubTokenInput(input: SubTokenInput, now: Date): SubTokenInput {
  checkValidity(input, now);
  if (input.actions.length === 0) throw badRequest('`actions` must contain `read`, `write` or both.');
  const each = <Item>(items: readonly Item[]) => [...new Set(items)];
  return {
    ...input,
    name: checkLine('name', input.name.trim(), 100),
    bucketNames: readBuckets(input),
    actions: each(input.actions).toSorted(),
    allowedPrefixes: limitItems(each(input.allowedPrefixes.map(readPrefix)), 'allowedPrefixes', MAX_PREFIXES),
    ipAllowlist: limitItems(
      each(input.ipAllowlist.map((text) => readCidr(text, 'ipAllowlist'))),
      'ipAllowlist',
      MAX_ADDRESSES,
    ),
  };
}

function checkValidity({ notBefore, expiresAt }: SubTokenInput, now: Date): void {
  if (expiresAt && expiresAt <= now) throw badRequest('`expiresAt` must be in the future.');
  if (notBefore && expiresAt && notBefore >= expiresAt) throw badRequest('`notBefore` must be before `expiresAt`.');
}

function readBuckets({ scopeType, bucketNames }: SubTokenInput): string[] {
  const names = limitItems([...new Set(bucketNames)], 'bucketNames', MAX_BUCKETS);
  if (scopeType === 'single_bucket' && names.length === 0)
    throw badRequest('`bucketNames` must contain at least one bucket.');
  if (scopeType === 'all_buckets' && names.length > 0)
    throw badRequest('`bucketNames` must be omitted when `scopeType` is `all_buckets`.');
  return names;
}

/** Refuses wildcard characters of policies, so that a prefix matches only itself. */
function readPrefix(prefix: string): string {
  if (prefix === '' || Buffer.byteLength(prefix) > MAX_KEY_LENGTH || !isLine(prefix) || /[*?$]/.test(prefix))
    throw badRequest(
      `\`allowedPrefixes\` must contain strings of 1 to ${MAX_KEY_LENGTH} bytes without control characters, \`*\`, \`?\`, \`$\`.`,
    );
  return prefix;
}

/** Validates an object key. @throws BAD_REQUEST */
export function checkKey(key: string): void {
  if (!isStorable(key)) throw badRequest(unstorable('`key`'));
  if (key === '' || Buffer.byteLength(key) > MAX_KEY_LENGTH)
    throw badRequest(`\`key\` must have 1 to ${MAX_KEY_LENGTH} bytes.`);
}

function limitItems<Item>(items: Item[], field: string, max: number): Item[] {
  if (items.length > max) throw badRequest(`\`${field}\` may have at most ${max} entries.`);
  return items;
}
