import type { Client } from 'urql';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';

const LINES = graphql(`
  query ($after: String) {
    statement(first: 200, after: $after) {
      lines {
        cursor
        createdAt
        source
        kind
        reason
        link
        amount
        isDebt
        balance
        debt
      }
      next
    }
  }
`);

type Page = ResultOf<typeof LINES>['statement'];

const COLUMNS = [
  'cursor',
  'createdAt',
  'source',
  'kind',
  'reason',
  'link',
  'amount',
  'isDebt',
  'balance',
  'debt',
] as const;

/** Saves every line of the statement with its exact figures as a file. */
export async function downloadStatement(client: Client): Promise<void> {
  const rows = [COLUMNS.join(',')];
  let after: string | null = null;
  do {
    const statement: Page = await pageAfter(client, after);
    rows.push(...statement.lines.map((line) => COLUMNS.map((name) => csvField(String(line[name]))).join(',')));
    after = statement.next;
  } while (after !== null);
  const url = URL.createObjectURL(new Blob([rows.join('\r\n'), '\r\n'], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'statement.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

async function pageAfter(client: Client, after: string | null): Promise<Page> {
  return (await done(client.query(LINES, { after }, { requestPolicy: 'network-only' }))).statement;
}

/** A value as spreadsheets read it, never as a formula. */
function csvField(text: string): string {
  const isFormula = /^[=+@\t\r]/.test(text) || /^-(?![\d.]+$)/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
