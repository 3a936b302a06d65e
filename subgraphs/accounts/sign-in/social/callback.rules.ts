import { isLine } from '../../../../kernel/scalars/text.js';

/** Maximum characters of a URL. */
const MAX_ADDRESS_LENGTH = 2_048;

/** The page that clients send in `next`; its query contains the callback. */
const HANDOVER_PATH = /^\/get-token\/?$/;

/** This page name as any segment of a path, case-insensitive. */
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
 * The return URL of a social sign-in from `next`: below `publicUrl` or registered; undefined otherwise. @param
 * registered full URLs; a trailing `*` matches any rest of path and query
 */
export function callbackOf(next: string, publicUrl: string, registered: readonly string[]): URL | undefined {
  const named = readAddress(next, publicUrl);
  if (!named) return undefined;
  const isHandover = named.origin === new URL(publicUrl).origin && HANDOVER_PATH.test(named.pathname);
  const callback = isHandover ? readAddress(named.searchParams.get('callback_url') ?? '', publicUrl) : named;
  if (!callback || FORBIDDEN_SCHEMES.has(callback.protocol) || forwardsCode(callback)) return undefined;
  const isKnown = isBelow(callback, publicUrl) || registered.some((pattern) => matches(callback, pattern));
  return isKnown ? callback : undefined;
}

/** A page that would forward the code to an unchecked URL in its own query. */
function forwardsCode({ pathname }: URL): boolean {
  const path = fullyDecoded(pathname);
  // Encoded slashes and dots change the path when a server decodes it again.
  return HANDOVER_SEGMENT.test(path) || /%2f|%5c|%25(?:2f|5c)/i.test(pathname);
}

/** The path as a server sees it that decodes repeatedly. */
function fullyDecoded(path: string): string {
  try {
    const decoded = decodeURIComponent(path);
    return decoded === path ? path : fullyDecoded(decoded);
  } catch {
    return path;
  }
}

/** Refuses credentials, and characters that parsers interpret differently. */
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
  // Scheme and host are compared completely, so that a wildcard never extends them.
  return (
    callback.protocol === known.protocol &&
    callback.host === known.host &&
    (callback.pathname + callback.search).startsWith(known.pathname + known.search)
  );
}

/** Query parameters that only the platform may set. */
const RESERVED_PARAMETERS: ReadonlySet<string> = new Set(['code', 'error', 'error_description']);

/** The callback with our parameters in its query, replacing parameters with the same names. */
export function withQuery(callback: string, fields: Readonly<Record<string, string>>): string {
  const [address = '', fragment] = callback.split(/#(.*)/s);
  const [path = '', query = ''] = address.split(/\?(.*)/s);
  const theirs = query.split('&').filter((part) => part !== '' && !isReserved(part));
  const more = [...theirs, new URLSearchParams(fields).toString()].join('&');
  return `${path}?${more}${fragment === undefined ? '' : `#${fragment}`}`;
}

function isReserved(part: string): boolean {
  return [...new URLSearchParams(part).keys()].some((name) => RESERVED_PARAMETERS.has(name));
}

/** Maximum characters of a provider's error texts. */
const MAX_ERROR_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 500;

/** The error parameters of a callback. */
export function errorFields(error: string, description: string | undefined): Record<string, string> {
  return {
    error: cut(error, MAX_ERROR_LENGTH),
    ...(description !== undefined && { error_description: cut(description, MAX_DESCRIPTION_LENGTH) }),
  };
}

/** Does not leave half of a surrogate pair. */
function cut(text: string, max: number): string {
  return text.slice(0, max).replace(/\p{Surrogate}$/u, '');
}
