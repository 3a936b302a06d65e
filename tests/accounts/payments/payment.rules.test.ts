import { describe, expect, it } from '@jest/globals';
import { errorCode, unavailable } from '../../../kernel/errors.js';
import {
  centsOf,
  CHECKOUT_CENTS,
  dollarsOf,
  TRANSACTION_CENTS,
} from '../../../subgraphs/accounts/payments/transaction/amount.rules.js';
import { CircuitBreaker } from '../../../subgraphs/accounts/payments/processor/circuit-breaker.js';
import { DEPOSIT_TOKENS } from '../../../subgraphs/accounts/payments/chain/token.rules.js';
import {
  isTransitionAllowed,
  readTransactionInput,
  TRANSACTION_STATUSES,
} from '../../../subgraphs/accounts/payments/transaction/transaction.rules.js';

function codeThrownBy(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return errorCode(error);
  }
}

describe('the currency of a payment in crypto', () => {
  const read = (currency: string) => readTransactionInput({ paymentType: 'crypto', amount: '20', currency }, []);

  it.each(DEPOSIT_TOKENS)('may be %s', (currency) => {
    expect(read(currency)).toEqual({ by: 'crypto', amount: '20', currency });
  });

  it('is refused with the tokens that are known', () => {
    expect(() => read('BTC')).toThrow(`must be one of ${DEPOSIT_TOKENS.join(', ')} for`);
  });
});

describe('the cents of an amount', () => {
  it.each([
    ['20', 2000],
    ['20.5', 2050],
    ['19.99999', undefined],
    ['20.10', 2010],
    ['20.100000', 2010],
    ['0020', 2000],
    ['1234.56', 123456],
    ['10000', 1_000_000],
  ])('of %s are %p', (amount, cents) => {
    if (cents === undefined) expect(codeThrownBy(() => centsOf(amount, CHECKOUT_CENTS))).toBe('BAD_REQUEST');
    else expect(centsOf(amount, CHECKOUT_CENTS)).toBe(cents);
  });

  it.each(['19.99', '10000.01', '20.001', '-20', '0', '99999999999999999999'])('refuse %s', (amount) => {
    expect(codeThrownBy(() => centsOf(amount, CHECKOUT_CENTS))).toBe('BAD_REQUEST');
  });

  it.each([2000, 2001, 2010, 99_999_999])('come back from dollars: %i', (cents) => {
    expect(centsOf(dollarsOf(cents), TRANSACTION_CENTS)).toBe(cents);
  });
});

describe('the states of a transaction', () => {
  it.each([
    ['pending', 'completed', true],
    ['completed', 'pending', false],
    ['completed', 'failed', false],
    ['payment_confirmed', 'failed', false],
    ['completed', 'refunded', true],
    ['expired', 'completed', true],
    ['refunded', 'pending', false],
  ] as const)('from %s to %s: %p', (from, to, expected) => {
    expect(isTransitionAllowed(from, to)).toBe(expected);
  });

  it('never lead back to pending', () => {
    expect(TRANSACTION_STATUSES.filter((from) => isTransitionAllowed(from, 'pending'))).toEqual([]);
  });
});

describe('the circuit breaker', () => {
  const isOutage = () => true;

  /** A circuit breaker after so many failures, and a clock that the test moves. */
  async function failing(times: number) {
    const circuitBreaker = new CircuitBreaker();
    const clock = { ms: 1_000_000 };
    const now = () => new Date(clock.ms);
    let asked = 0;
    const call = (answers: boolean) =>
      circuitBreaker
        .call(
          async () => {
            asked += 1;
            if (!answers) throw unavailable('no answer');
          },
          { now, isOutage },
        )
        .catch(() => undefined);
    for (let time = 0; time < times; time += 1) await call(false);
    return { call, clock, asked: () => asked };
  }

  it('asks on after four failures', async () => {
    const { call, asked } = await failing(4);
    await call(true);
    expect(asked()).toBe(5);
  });

  it('asks no more after five', async () => {
    const { call, asked } = await failing(5);
    await call(true);
    expect(asked()).toBe(5);
  });

  it('lets one try again after a while, and all when that one is answered', async () => {
    const { call, clock, asked } = await failing(5);
    clock.ms += 15_000;
    await Promise.all([call(true), call(true)]);
    await call(true);
    expect(asked()).toBe(7);
  });

  it('lets only one try while the others wait', async () => {
    const { call, clock, asked } = await failing(5);
    clock.ms += 15_000;
    await Promise.all([call(false), call(true), call(true)]);
    expect(asked()).toBe(6);
  });
});
