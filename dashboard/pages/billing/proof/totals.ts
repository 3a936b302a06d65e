/** Entries of a day, added up. */
export interface Group {
  /** The number of its newest entry, counted from 1. */
  readonly cursor: string;
  readonly lines: number;
  readonly amount: string;
  readonly isDebt: boolean;
}

/** A stored total beside the sum of the entries. */
export interface Total {
  readonly figure: string;
  readonly stored: string;
  readonly added: string;
}

/** The totals of an account beside the sums of its entries. @param groups of all days, newest first. */
export function totalsOf(
  { balance, debt }: { readonly balance: string; readonly debt: string },
  groups: readonly Group[],
): readonly Total[] {
  const sumOf = (isDebt: boolean) =>
    groups.reduce((sum, group) => (group.isDebt === isDebt ? sum + unitsOf(group.amount) : sum), 0n);
  const lines = groups.reduce((sum, group) => sum + group.lines, 0);
  return [
    { figure: 'Balance', stored: balance, added: decimalOf(sumOf(false)) },
    { figure: 'Debt', stored: debt, added: decimalOf(-sumOf(true)) },
    { figure: 'Entries', stored: groups[0]?.cursor ?? '0', added: String(lines) },
  ];
}

/** Digits after the point of an amount of the ledger. */
const SCALE = 18;

/** An exact decimal in its smallest units. */
function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

function decimalOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -SCALE)}${fraction && `.${fraction}`}`;
}
