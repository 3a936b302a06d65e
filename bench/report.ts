import { cpus, totalmem } from 'node:os';

/** One table row: our figure beside a baseline from the same run. */
export interface Row {
  readonly work: string;
  /** A comparable program, or a lower bound. */
  readonly peer: string;
  /** Unit of both figures, e.g. `CPU ms`. */
  readonly unit: string;
  readonly ours: number | undefined;
  /** Undefined if there is no baseline. */
  readonly theirs?: number | undefined;
  /** Target in `unit`, or with `×` as a multiple of the baseline. */
  readonly goal?: string;
}

const HEADINGS = ['work', 'peer', 'unit', 'ours', 'peer figure', 'ours / peer', 'goal'];

/** Returns the heading of the table, in Markdown. */
export function tableHeading(): string {
  return `${lineOf(HEADINGS)}\n${lineOf(HEADINGS.map(() => '---'))}`;
}

/** Returns a line of the table. */
export function rowText({ work, peer, unit, ours, theirs, goal = '' }: Row): string {
  const ratio = ours === undefined || !theirs ? '' : (ours / theirs).toFixed(2);
  return lineOf([work, peer, unit, figure(ours), theirs === undefined ? '' : figure(theirs), ratio, goal]);
}

/** Describes the machine: processors, memory and Node version. */
export function machineText(): string {
  const [processor] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${cpus().length} cores of ${processor?.model ?? 'an unknown processor'}, ${memory}, Node ${process.versions.node}`;
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** At least three significant digits; `?` if not measured. */
function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '?';
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
