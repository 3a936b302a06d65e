import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { errorCode } from '../../../kernel/errors.js';
import { postTransfer, takeBack, type Transfer } from '../../../subgraphs/accounts/ledger/transfer/transfer.actions.js';
import { openLedger, transferOf, type LedgerUnderTest } from '../../kit/accounts/ledger.js';

let ledger: LedgerUnderTest;
let user: number;
beforeAll(async () => {
  ledger = await openLedger();
}, 60_000);
afterAll(() => ledger.close());
beforeEach(async () => {
  user = await ledger.user();
});

const post = (transfer: Transfer): Promise<boolean> =>
  ledger.database.change((transaction) => postTransfer(transaction, transfer, new Date()));
const take = (transfer: Transfer): Promise<boolean> =>
  ledger.database.change((transaction) => takeBack(transaction, transfer, new Date()));
const figures = (): Promise<object> => ledger.figures(user);

describe('taking back', () => {
  it('takes what the balance holds', async () => {
    await post(transferOf(user, '10'));
    await take(transferOf(user, '4'));
    expect(await figures()).toEqual({ balance: '6', held: '0', debt: '0' });
  });

  it('makes a debt of the rest', async () => {
    await post(transferOf(user, '10'));
    await take(transferOf(user, '14.000000000000000001'));
    expect(await figures()).toEqual({ balance: '0', held: '0', debt: '4.000000000000000001' });
  });

  it('makes a debt of everything where there is nothing', async () => {
    await take(transferOf(user, '3'));
    expect(await figures()).toEqual({ balance: '0', held: '0', debt: '3' });
  });

  it('happens once', async () => {
    const transfer = transferOf(user, '3');
    expect([await take(transfer), await take(transfer), await figures()]).toEqual([
      true,
      false,
      { balance: '0', held: '0', debt: '3' },
    ]);
  });

  it('happens once of twenty at once', async () => {
    await post(transferOf(user, '10'));
    const transfer = transferOf(user, '15');
    const posted = await Promise.all(Array.from({ length: 20 }, () => take(transfer)));
    expect([posted.filter(Boolean).length, await figures()]).toEqual([1, { balance: '0', held: '0', debt: '5' }]);
  });

  it('refuses an identity that stood for other credits', async () => {
    const transfer = transferOf(user, '3');
    await take(transfer);
    await expect(take({ ...transfer, credits: '4' })).rejects.toThrow(/already used/);
  });

  it('adds up when twenty different come at once', async () => {
    await post(transferOf(user, '10'));
    await Promise.all(Array.from({ length: 20 }, () => take(transferOf(user, '1.5'))));
    expect(await figures()).toEqual({ balance: '0', held: '0', debt: '20' });
  });
});

describe('a debt', () => {
  beforeEach(async () => {
    await take(transferOf(user, '5'));
  });

  it('is paid by the next grant', async () => {
    await post(transferOf(user, '7'));
    expect(await figures()).toEqual({ balance: '2', held: '0', debt: '0' });
  });

  it('is paid in parts', async () => {
    await post(transferOf(user, '2'));
    await post(transferOf(user, '2'));
    expect(await figures()).toEqual({ balance: '0', held: '0', debt: '1' });
  });

  it('keeps a grant that happens once a grant that happens once', async () => {
    const transfer = transferOf(user, '7');
    expect([await post(transfer), await post(transfer)]).toEqual([true, false]);
  });

  it('blocks spending', async () => {
    const refused = await post(transferOf(user, '-0.000000000000000001')).catch(errorCode);
    expect(refused).toBe('PAYMENT_REQUIRED');
  });

  it('is paid by as much as twenty grants at once bring', async () => {
    await Promise.all(Array.from({ length: 20 }, () => post(transferOf(user, '0.3'))));
    expect(await figures()).toEqual({ balance: '1', held: '0', debt: '0' });
  });
});
