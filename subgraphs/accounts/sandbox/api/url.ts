import { refuse } from '../refusal.js';

/** Schemes that run scripts or open no page. */
const DANGEROUS = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'view-source:',
  'feed:',
  'jar:',
  'filesystem:',
]);

/** An absolute URL for redirects, unchanged. @throws Refusal, which names the parameter */
export function checkUrl(url: string, param: string): string {
  if (url.length > 5_000 || !URL.canParse(url) || DANGEROUS.has(new URL(url).protocol)) {
    throw refuse({ message: 'Not a valid URL', code: 'url_invalid', param });
  }
  return url;
}
