import { badRequest } from '../../../../kernel/errors.js';

/** What a letter says. */
export interface Writing {
  readonly title: string;
  readonly text: string;
  /** An address to follow, whole. */
  readonly url: string | undefined;
}

/** The letter as plain text. */
export function plainEmail({ text, url }: Writing): string {
  return `${text}\n${url === undefined ? '' : `\n${url}\n`}`;
}

/** The letter as HTML, whatever its words hold. */
export function htmlEmail({ title, text, url }: Writing): string {
  const paragraphs = text.split(/\n{2,}/).map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`);
  const link = url === undefined ? '' : `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`;
  return `<!doctype html><html><body><h1>${escapeHtml(title)}</h1>${paragraphs.join('')}${link}</body></html>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** One mailbox of a host, without quotes, comments or a name before it; 254 characters. Source: RFC 5321, 4.5.3.1 */
const ADDRESS =
  /^(?=.{3,254}$)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** The address as it is kept, its host in lower case. @throws BAD_REQUEST when it is none */
export function checkEmail(email: string): string {
  const trimmed = email.trim();
  if (!ADDRESS.test(trimmed)) throw badRequest('`email` must be an e-mail address.');
  const at = trimmed.lastIndexOf('@');
  return trimmed.slice(0, at) + trimmed.slice(at).toLowerCase();
}
