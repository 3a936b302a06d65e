import { types } from 'pg';

const TIMESTAMPTZ: number = types.builtins.TIMESTAMPTZ;
const parseAny: (text: string) => Date = types.getTypeParser(TIMESTAMPTZ, 'text');

/** `2026-11-23 11:08:59.675141+00`, without fraction or with any zone of whole hours. */
const [SECONDS_END, ZONE_LENGTH, HOUR_MS] = [19, 3, 3_600_000];

/** Parses a timestamp in less than half the time of the driver, which parses those of unusual years and zones. */
export function parseTimestamp(text: string): Date {
  const end = text.length - ZONE_LENGTH;
  const sign = text[end];
  if (end < SECONDS_END || text[4] !== '-' || text[0] === '0' || (sign !== '+' && sign !== '-')) return parseAny(text);
  const ms =
    end === SECONDS_END
      ? 0
      : Number(
          text
            .slice(SECONDS_END + 1, end)
            .padEnd(3, '0')
            .slice(0, 3),
        );
  const year = digits(text, 0) * 100 + digits(text, 2);
  const time = Date.UTC(
    year,
    digits(text, 5) - 1,
    digits(text, 8),
    digits(text, 11),
    digits(text, 14),
    digits(text, 17),
    ms,
  );
  const offset = digits(text, end + 1) * HOUR_MS;
  return new Date(sign === '+' ? time - offset : time + offset);
}

/** The number of two digits. */
function digits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
}

/** The parsers of the driver, with a faster one for timestamps. */
export const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary' ? parseTimestamp : types.getTypeParser(oid, format ?? 'text'),
};
