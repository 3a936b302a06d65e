import { isLine } from '../../../../kernel/text.js';

/** Characters that an address may have. */
const MAX_ADDRESS_LENGTH = 2_048;

/** The page that clients name in `next`; the callback is in its query. */
const HANDOVER_PATH = /^\/get-token\/?$/;

/** The same page at any depth and in any letters. */
const HANDOVER_SEGMENT = /[/\\]get-token(?:[/\\;?#]|$)/i;

/** Schemes that execute code; refused even if registered. */
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'view-source:',
  'feed:',
  'jar:',
  'filesystem:',
]);

/**
 * Where a social sign-in returns to, out of `next`: an address below `publicUrl` or a registered one; undefined for all
 * others. @param registered whole addresses; a trailing `*` stands for any rest of path and query
 */
export function callbackOf(next: string, publicUrl: string, registered: readonly string[]): URL | undefined {
  const named = readAddress(next, publicUrl);
  if (!named) return undefined;
  const isHandover = named.origin === new URL(publicUrl).origin && HANDOVER_PATH.test(named.pathname);
  const callback = isHandover ? readAddress(named.searchParams.get('callback_url') ?? '', publicUrl) : named;
  if (!callback || FORBIDDEN_SCHEMES.has(callback.protocol) || handsOver(callback)) return undefined;
  const isKnown = isBelow(callback, publicUrl) || registered.some((pattern) => matches(callback, pattern));
  return isKnown ? callback : undefined;
}

/** A page that would pass the code on to an address in its own query, which nobody has checked. */
function handsOver({ pathname }: URL): boolean {
  const path = fullyDecoded(pathname);
  // Slashes that were encoded, and dots behind them, make another path of it where it is decoded again.
  return HANDOVER_SEGMENT.test(path) || /%2f|%5c|%25(?:2f|5c)/i.test(pathname);
}

/** The path as a server would see it that decodes more than once. */
function fullyDecoded(path: string): string {
  try {
    const decoded = decodeURIComponent(path);
    return decoded === path ? path : fullyDecoded(decoded);
  } catch {
    return path;
  }
}

/** No credentials, and no characters that one reader takes for others than the next. */
function readAddress(text: string, base: string): URL | undefined {
  if (text === '' || text.length > MAX_ADDRESS_LENGTH || /[\s\\]/.test(text) || !isLine(text)) return undefined;
  if (!URL.canParse(text, `${base}/`)) return undefined;
  const url = new URL(text, `${base}/`);
  return url.username === '' && url.password === '' ? url : undefined;
}

function isBelow(callback: URL, publicUrl: string): boolean {
  const base = new URL(publicUrl);
  const path = base.pathname.replace(/\/+$/, '');
  const isWithin = callback.pathname === path || callback.pathname.startsWith(`${path}/`);
  return callback.protocol === base.protocol && callback.host === base.host && isWithin;
}

function matches(callback: URL, pattern: string): boolean {
  const anyRest = pattern.endsWith('*');
  const address = anyRest ? pattern.slice(0, -1) : pattern;
  if (!URL.canParse(address)) return false;
  const known = new URL(address);
  if (!anyRest) return callback.href === known.href;
  // Scheme and host are compared whole, so that the rest never becomes part of them.
  return (
    callback.protocol === known.protocol &&
    callback.host === known.host &&
    (callback.pathname + callback.search).startsWith(known.pathname + known.search)
  );
}

/** What only the platform says to a callback. */
const OURS: ReadonlySet<string> = new Set(['code', 'error', 'error_description']);

/** The callback with our answer in its query and nothing that could be taken for it, the rest untouched. */
export function withQuery(callback: string, fields: Readonly<Record<string, string>>): string {
  const [address = '', fragment] = callback.split(/#(.*)/s);
  const [path = '', query = ''] = address.split(/\?(.*)/s);
  const theirs = query.split('&').filter((part) => part !== '' && !isOurs(part));
  const more = [...theirs, new URLSearchParams(fields).toString()].join('&');
  return `${path}?${more}${fragment === undefined ? '' : `#${fragment}`}`;
}

function isOurs(part: string): boolean {
  return [...new URLSearchParams(part).keys()].some((name) => OURS.has(name));
}

/** Characters of a provider's words that are passed on. */
const MAX_ERROR_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 500;

/** What a callback is told of an error. */
export function errorFields(error: string, description: string | undefined): Record<string, string> {
  return {
    error: cut(error, MAX_ERROR_LENGTH),
    ...(description !== undefined && { error_description: cut(description, MAX_DESCRIPTION_LENGTH) }),
  };
}

/** Where the cut goes through a pair of surrogates, neither half is left. */
function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/\p{Surrogate}$/u, '');
}
