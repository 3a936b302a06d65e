import { createHash } from 'node:crypto';

/** Escaped HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | readonly Html[] | undefined;

/** HTML with all values escaped, except HTML. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries()) text += inner(part) + (strings[index + 1] ?? '');
  return new Html(text);
}

function inner(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: #f3f4f8; color: #1d2333; }
.mark { background: #7a3b00; color: #fff; padding: .5rem 1rem; text-align: center; font-weight: 600; }
main { max-width: 34rem; margin: 2rem auto; padding: 1.5rem; background: #fff; border-radius: .75rem; box-shadow: 0 1px 6px #0002; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin-top: 0; } h2 { font-size: 1.1rem; }
table { width: 100%; border-collapse: collapse; } th, td { text-align: left; padding: .4rem 0; border-bottom: 1px solid #8885; }
td:last-child, th:last-child { text-align: right; }
form { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0; align-items: center; }
button, select, input { font: inherit; padding: .6rem 1rem; border-radius: .5rem; border: 1px solid #5b6478; background: #fff; color: #1d2333; }
button { cursor: pointer; } button.main { background: #1f4fd8; border-color: #1f4fd8; color: #fff; }
button:focus-visible, a:focus-visible, select:focus-visible, input:focus-visible { outline: 3px solid #e08a00; outline-offset: 2px; }
.alert { border-left: 4px solid #b3261e; padding: .5rem 1rem; background: #b3261e1a; } .note { color: #5b6478; } a { color: #1f4fd8; }
@media (prefers-color-scheme: dark) {
  body { background: #14171f; color: #e8eaf2; } main { background: #1e222d; } .note { color: #a8b0c4; } a { color: #8fb0ff; }
  button, select, input { background: #2a3040; color: #e8eaf2; }
}`;

/** One value, because the policy below contains the hash of all bytes between the tags. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** A whole page, marked as the sandbox. @param refreshSeconds seconds until the browser reloads it */
export function page(title: string, content: Html, refreshSeconds?: number): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${refreshSeconds === undefined ? undefined : html`<meta http-equiv="refresh" content="${refreshSeconds}" />`}
        <title>${title} · sandbox</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <div class="mark" role="note">Sandbox: no real money moves here</div>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.text;
}

/** The headers of a page with forms that lead to itself and to these URLs. */
export function pageHeaders(destinations: readonly (string | null)[]): Record<string, string> {
  const sources = ["'self'", ...new Set(destinations.flatMap((url) => sourceOf(url) ?? []))];
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    // Browsers also apply `form-action` to the redirect after a form.
    `form-action ${sources.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}

/** The source expression of a URL: its origin, or its scheme if it has no origin; undefined if it is unsafe. */
function sourceOf(url: string | null): string | undefined {
  if (url === null || !URL.canParse(url)) return undefined;
  const { protocol, origin, hostname } = new URL(url);
  // A policy cannot contain an IPv6 address. Source: Content Security Policy Level 3, host-char
  const isNamed = /^https?:$/.test(protocol) && !hostname.startsWith('[');
  const source = isNamed ? origin : protocol;
  return /^[a-z0-9.:/+-]+$/i.test(source) ? source : undefined;
}

/** Cents as text, e.g. `$20.00`. */
export function money(cents: number | null, currency: string | null): string {
  const code = /^[a-z]{3}$/i.test(currency ?? '') ? (currency ?? 'usd') : 'usd';
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: code.toUpperCase() }).format((cents ?? 0) / 100);
}

/** Unix seconds as a day in UTC. */
export function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
