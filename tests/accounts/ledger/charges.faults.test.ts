import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Context } from '../../../kernel/subgraph/context.js';
import { postTransfer } from '../../../subgraphs/accounts/ledger/transfer/transfer.actions.js';
import { chargesOf } from '../../../subgraphs/accounts/ledger/statement/charges.actions.js';
import { statementRange } from '../../../subgraphs/accounts/ledger/statement/statement.rules.js';
import { openLedger, transferOf, type LedgerUnderTest } from '../../kit/accounts/ledger.js';

let ledger: LedgerUnderTest;
let userId: number;
const [machine, other] = [randomUUID(), randomUUID()];
beforeAll(async () => {
  ledger = await openLedger();
  userId = await ledger.user();
  const post = (more: object) =>
    ledger.database.change((transaction) =>
      postTransfer(transaction, { ...transferOf(userId, '1'), reference: randomUUID(), ...more }, new Date()),
    );
  await post({ credits: '100' });
  for (let minute = 1; minute <= 5; minute++) {
    const credits = `-${minute}`;
    await post({ source: 'vm', kind: 'settlement', credits, link: `${machine}:${minute}` });
    await post({ source: 'vm', kind: 'settlement', credits, link: `${other}:1` });
    // The same link from another source is about something else.
    await post({ source: 'elsewhere', credits, link: `${machine}:${minute}` });
  }
}, 60_000);
afterAll(() => ledger.close());

const contextOf = (id: number) =>
  ({ database: ledger.database, viewer: { kind: 'user', userId: id } }) as Partial<Context> as Context;
const amounts = async (context: Context, subject: string, first?: number, after?: string | null) => {
  const page = await chargesOf(context, { subject, ...statementRange(first, after) });
  return { amounts: page?.lines.map(({ amount }) => amount), next: page?.next };
};

describe('the charges of a machine', () => {
  it('are the lines of the statement about it, newest first', async () => {
    expect(await amounts(contextOf(userId), machine)).toEqual({ amounts: ['-5', '-4', '-3', '-2', '-1'], next: null });
  });

  it('come in pages', async () => {
    const pages = [];
    let next: string | null | undefined;
    do {
      const page = await amounts(contextOf(userId), machine, 2, next);
      pages.push(page.amounts);
      ({ next } = page);
    } while (next);
    expect(pages).toEqual([['-5', '-4'], ['-3', '-2'], ['-1']]);
  });

  it('come in different pages of several machines at once', async () => {
    const context = contextOf(userId);
    const found = await Promise.all([
      amounts(context, machine, 1),
      amounts(context, other, 3),
      amounts(context, machine, 2),
      amounts(context, randomUUID()),
    ]);
    expect(found.map((page) => page.amounts)).toEqual([['-5'], ['-5', '-4', '-3'], ['-5', '-4'], []]);
  });

  it('are hidden from others', async () => {
    expect(await amounts(contextOf(await ledger.user()), machine)).toEqual({ amounts: [], next: null });
  });
});
