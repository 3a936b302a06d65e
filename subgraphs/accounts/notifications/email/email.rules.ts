import { badRequest } from '../../../../kernel/errors.js';

/** Content of an e-mail. */
export interface EmailContent {
  readonly title: string;
  readonly text: string;
  /** Absolute URL. */
  readonly url: string | undefined;
  /** Absolute URL of the page where the reader can turn such e-mails off; undefined for those that are always sent. */
  readonly settingsUrl?: string | undefined;
}

const SETTINGS = 'Turn off these e-mails or all e-mails:';

/** The e-mail as plain text. */
export function plainEmail({ text, url, settingsUrl }: EmailContent): string {
  const settings = settingsUrl === undefined ? '' : `\n${SETTINGS} ${settingsUrl}\n`;
  return `${text}\n${url === undefined ? '' : `\n${url}\n`}${settings}`;
}

/** The e-mail as escaped HTML. */
export function htmlEmail({ title, text, url, settingsUrl }: EmailContent): string {
  const paragraphs = text.split(/\n{2,}/).map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`);
  const linkTo = (address: string) => `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
  const link = url === undefined ? '' : `<p>${linkTo(url)}</p>`;
  const settings = settingsUrl === undefined ? '' : `<p>${SETTINGS} ${linkTo(settingsUrl)}</p>`;
  return `<!doctype html><html><body><h1>${escapeHtml(title)}</h1>${paragraphs.join('')}${link}${settings}</body></html>`;
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

/** Normalizes an e-mail address: the host in lower case. @throws BAD_REQUEST if it is invalid */
export function checkEmail(email: string): string {
  const trimmed = email.trim();
  if (!ADDRESS.test(trimmed)) throw badRequest('`email` must be an e-mail address.');
  const at = trimmed.lastIndexOf('@');
  return trimmed.slice(0, at) + trimmed.slice(at).toLowerCase();
}

/** Enhanced status codes of a recipient that cannot receive (5.1, except for the sender; 5.2) and of a message (5.3.4, 5.6). */
const OF_MESSAGE = /^5\.(?:1\.(?![78]$)|2\.|3\.4$|6\.)/;

/**
 * Whether a mail server refuses this message or recipient for ever, rather than what the operator of the platform can mend: relaying
 * that is denied, a missing sign-in, a refused sender, another policy. Source: RFC 5321, 4.2.3; RFC 3463, 3
 * @param response of RCPT TO or DATA
 */
export function isFaultOfMessage(response: string): boolean {
  const [, code = '', enhanced] = /^(\d{3})[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? [];
  return enhanced === undefined ? /^55[0-4]$/.test(code) && !/relay/i.test(response) : OF_MESSAGE.test(enhanced);
}
