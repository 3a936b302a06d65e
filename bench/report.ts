import { cpus, totalmem } from 'node:os';

/** One line of the table: our figure beside that of a peer, from the same run. */
export interface Row {
  readonly work: string;
  /** A program that does the same work, or the least that the work takes. */
  readonly peer: string;
  /** What the figures are, e.g. `CPU ms`. */
  readonly unit: string;
  readonly ours: number | undefined;
  /** Undefined if no peer exists. */
  readonly theirs?: number | undefined;
  /** What we want to reach: of the unit, or with `×` a multiple of the peer's figure. */
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

/** Describes the machine: processors and memory. */
export function machineText(): string {
  const [processor] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${cpus().length} cores of ${processor?.model ?? 'an unknown processor'}, ${memory}, Node ${process.versions.node}`;
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Three significant digits; `?` where the operating system does not tell. */
function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '?';
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
