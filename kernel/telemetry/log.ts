import { isatty } from 'node:tty';
import { pino, type Logger } from 'pino';

export type { Logger };

const STDERR = 2;

/** Opens the log on standard error: JSON lines, or readable lines on a terminal. Standard output is for `npm start`. */
export function openLog(level: string, name: string): Logger {
  return pino(
    {
      name,
      level,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: [
        'req.headers',
        'headers',
        'authorization',
        'token',
        'secret',
        'variables',
        '*.authorization',
        '*.token',
        '*.secret',
        // Of an error of PostgreSQL: values of rows, and the connection with its key to cancel statements.
        'err.detail',
        'err.where',
        'err.client',
      ],
    },
    isatty(STDERR)
      ? { write: (line: string) => void process.stderr.write(readableLine(line)) }
      : pino.destination({ dest: STDERR, sync: false }),
  );
}

/** Formats a log line for a terminal: time, level, message and fields, without stack traces. */
export function readableLine(json: string): string {
  const { time, level, name: _name, msg, ...details } = JSON.parse(json) as Record<string, unknown>;
  const clock = String(time).slice(11, 19);
  const label = (pino.levels.labels[Number(level)] ?? '').toUpperCase().padEnd(5);
  return `${[clock, label, msg, ...Object.entries(details).flatMap(([key, value]) => readable(key, value))]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
    .replaceAll(/\s*\n\s*/g, ' | ')}\n`;
}

function readable(key: string, value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [`${key}=${String(value)}`];
  if ('message' in value) return [`${key}=${JSON.stringify(value.message)}`];
  return Object.entries(value).flatMap(([inner, found]) =>
    found !== null && typeof found === 'object' && !Array.isArray(found) ? [] : [`${key}.${inner}=${String(found)}`],
  );
}
