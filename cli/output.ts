/** A column of a table. */
export type Column<Row> = readonly [title: string, value: (row: Row) => string | number | null | undefined];

/** Writes results: tables for people, JSON with `--json`. */
export class Output {
  constructor(
    readonly isJson: boolean,
    private readonly stream: NodeJS.WritableStream = process.stdout,
  ) {}

  /** Writes rows as a table, or `none`; with `--json` all their fields. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
    if (this.isJson) this.json(rows);
    else this.text(rows.length === 0 ? 'none' : tableOf(rows, columns));
  }

  /** Writes one object. For people: a line per field, such as `substrate address` for `substrateAddress`. */
  record(value: object): void {
    if (this.isJson) return this.json(value);
    const fields = Object.entries(value)
      .filter(([, field]) => field !== null && field !== undefined)
      .map(([name, field]) => [wordsOf(name), field] as const);
    const width = Math.max(...fields.map(([name]) => name.length));
    for (const [name, field] of fields) this.line(`${name.padEnd(width)}  ${textOf(field)}`);
  }

  /** Writes a sentence for people; with `--json` the value. */
  done(sentence: string, value: object): void {
    if (this.isJson) this.json(value);
    else this.line(sentence);
  }

  json(value: unknown): void {
    this.text(
      JSON.stringify(value, (_name, field: unknown) => (field instanceof Uint8Array ? hexOf(field) : field), 2),
    );
  }

  /** Writes one line. Control characters are escaped, so that names cannot control the terminal. */
  line(text: string): void {
    this.text(escaped(text));
  }

  /** Writes a text as it is. */
  text(text: string): void {
    this.stream.write(`${text}\n`);
  }
}

function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const titles = columns.map(([title]) => title);
  const cells = [titles, ...rows.map((row) => columns.map(([, value]) => escaped(textOf(value(row)))))];
  const widths = columns.map((_column, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Writes a line for people to standard error, with control characters escaped. */
export function warn(text: string): void {
  process.stderr.write(`${escaped(text)}\n`);
}

/** Writes control characters as `\u` and four hex digits. */
export function escaped(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(textOf).join(', ') || '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns a number with the words for it. */
export function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}
