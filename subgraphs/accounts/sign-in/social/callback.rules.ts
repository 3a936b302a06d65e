import { isLine } from '../../../../kernel/scalars/text.js';

/** Where the command line waits for the code, on a free port. */
const COMMAND_LINE = 'http://127.0.0.1/callback?state=*';

/** Registered with any port: a program listens on a free one. Source: RFC 8252, 7.3 */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);

/** Maximum characters of a URL. */
const MAX_ADDRESS_LENGTH = 2_048;

/** A page of clients, which may be sent as `next`: its query contains the return URL. */
const TOKEN_PAGE_PATH = /^\/get-token\/?$/;

/** The name of that page as any segment of a path, case-insensitive. */
const TOKEN_PAGE_SEGMENT = /[/\\]get-token(?:[/\\;?#]|$)/i;

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
 * The return URL of a social sign-in from `next`: below `publicUrl`, registered, or of the command line; undefined
 * otherwise. @param registered full URLs; a trailing `*` matches any rest of path and query
 */
export function returnUrlOf(next: string, publicUrl: string, registered: readonly string[]): URL | undefined {
  const address = readAddress(next, publicUrl);
  if (!address) return undefined;
  const isTokenPage = address.origin === new URL(publicUrl).origin && TOKEN_PAGE_PATH.test(address.pathname);
  const returnUrl = isTokenPage ? readAddress(address.searchParams.get('callback_url') ?? '', publicUrl) : address;
  if (!returnUrl || FORBIDDEN_SCHEMES.has(returnUrl.protocol) || forwardsCode(returnUrl)) return undefined;
  const isKnown =
    isBelow(returnUrl, publicUrl) || [...registered, COMMAND_LINE].some((pattern) => matches(returnUrl, pattern));
  return isKnown ? returnUrl : undefined;
}

/** A page that would forward the code to an unchecked URL in its own query. */
function forwardsCode({ pathname }: URL): boolean {
  const path = fullyDecoded(pathname);
  // Encoded slashes and dots change the path when a server decodes it again.
  return TOKEN_PAGE_SEGMENT.test(path) || /%2f|%5c|%25(?:2f|5c)/i.test(pathname);
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

function isBelow(returnUrl: URL, publicUrl: string): boolean {
  const base = new URL(publicUrl);
  const path = base.pathname.replace(/\/+$/, '');
  const isWithin = returnUrl.pathname === path || returnUrl.pathname.startsWith(`${path}/`);
  return returnUrl.protocol === base.protocol && returnUrl.host === base.host && isWithin;
}

function matches(returnUrl: URL, pattern: string): boolean {
  const anyRest = pattern.endsWith('*');
  const address = anyRest ? pattern.slice(0, -1) : pattern;
  if (!URL.canParse(address)) return false;
  const known = new URL(address);
  if (LOOPBACK_HOSTS.has(known.hostname)) known.port = returnUrl.port;
  if (!anyRest) return returnUrl.href === known.href;
  // Scheme and host are compared completely, so that a wildcard never extends them.
  return (
    returnUrl.protocol === known.protocol &&
    returnUrl.host === known.host &&
    (returnUrl.pathname + returnUrl.search).startsWith(known.pathname + known.search)
  );
}

/** Query parameters that only the platform may set. */
const RESERVED_PARAMETERS: ReadonlySet<string> = new Set(['code', 'error', 'error_description']);

/** The return URL with our parameters in its query, in place of parameters with the same names. */
export function withQuery(returnUrl: string, fields: Readonly<Record<string, string>>): string {
  const [address = '', fragment] = returnUrl.split(/#(.*)/s);
  const [path = '', query = ''] = address.split(/\?(.*)/s);
  const others = query.split('&').filter((part) => part !== '' && !isReserved(part));
  const more = [...others, new URLSearchParams(fields).toString()].join('&');
  return `${path}?${more}${fragment === undefined ? '' : `#${fragment}`}`;
}

function isReserved(part: string): boolean {
  return [...new URLSearchParams(part).keys()].some((name) => RESERVED_PARAMETERS.has(name));
}

/** Maximum characters of a provider's error texts. */
const MAX_ERROR_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 500;

/** The error parameters of a return URL. */
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
