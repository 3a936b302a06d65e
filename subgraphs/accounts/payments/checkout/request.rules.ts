import { badRequest } from '../../../../kernel/errors.js';

const PRICE_ID = /^price_[0-9A-Za-z]{14,}$/;
const METHODS = ['card', 'sepa_debit', 'ideal', 'bancontact', 'giropay', 'p24', 'sofort', 'eps', 'fpx', 'grabpay'];
const MAX_METHODS = 5;

/** Schemes that run scripts, or that open neither a page nor an app. */
const UNSAFE_SCHEMES = new Set(
  [
    'javascript',
    'data',
    'vbscript',
    'blob',
    'file',
    'about',
    'ftp',
    'ftps',
    'ws',
    'wss',
    'mailto',
    'tel',
    'view-source',
    'feed',
    'jar',
    'filesystem',
  ].map((name) => `${name}:`),
);

const MAX_URL_LENGTH = 2_000;

/** Validates a return URL. Desktop clients use their own schemes. @throws BAD_REQUEST naming the field */
export function returnUrl(url: string | null | undefined, field: string, fallback: string): string {
  if (url == null) return fallback;
  const isUrl = url.length <= MAX_URL_LENGTH && /^[A-Za-z][\w+.-]*:\S+$/.test(url) && URL.canParse(url);
  if (!isUrl || UNSAFE_SCHEMES.has(new URL(url).protocol)) throw badRequest(`\`${field}\` must be a URI.`);
  const { username, password } = new URL(url);
  if (username !== '' || password !== '') throw badRequest(`\`${field}\` must not hold a name or password.`);
  return url;
}

/** Validates the id of a price. @throws BAD_REQUEST */
export function priceId(id: string | null | undefined): string {
  if (id == null) throw badRequest('`price_id` is required for a subscription.');
  if (!PRICE_ID.test(id) || id.length > 200)
    throw badRequest('`price_id` must be price_ followed by 14 to 194 letters or digits.');
  return id;
}

/** Validates payment methods; default: card. @throws BAD_REQUEST */
export function paymentMethods(types: readonly string[] | null | undefined): string[] {
  const methods = [...new Set(types ?? ['card'])];
  if ((types?.length ?? 1) > MAX_METHODS)
    throw badRequest(`\`payment_method_types\` has at most ${MAX_METHODS} items.`);
  if (methods.length === 0) return ['card'];
  if (!methods.every((method) => METHODS.includes(method)))
    throw badRequest(`\`payment_method_types\` may hold ${METHODS.join(', ')}.`);
  return methods;
}
