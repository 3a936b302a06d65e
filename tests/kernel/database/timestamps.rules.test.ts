import { describe, expect, it } from '@jest/globals';
import { types } from 'pg';
import { parseTimestamp, TYPES } from '../../../kernel/database/timestamps.js';

const { TIMESTAMPTZ, INT4 } = types.builtins;
const ofDriver: (text: string) => Date = types.getTypeParser(TIMESTAMPTZ, 'text');

describe('a timestamp of PostgreSQL', () => {
  it.each([
    '2026-11-23 11:08:59+00',
    '2026-02-28 23:59:59.999999+00',
    '2026-11-23 11:08:59.5+02',
    '2026-01-01 00:30:00.07-11',
    '2026-11-23 11:08:59.675141+05:30',
    '1880-01-01 00:00:00+00:53:28',
    '0099-12-31 00:00:00+00',
    '0001-01-01 00:00:00+00 BC',
    '12026-11-23 11:08:59.675141+00',
    'infinity',
    '-infinity',
  ])('%s is what the driver reads', (text) => {
    expect(parseTimestamp(text)).toEqual(ofDriver(text));
  });

  it('keeps each millisecond', () => {
    const times = Array.from({ length: 1000 }, (_, ms) => new Date(Date.UTC(2026, 10, 23, 11, 8, 59, ms)));
    const texts = times.map(
      (time) =>
        `${time
          .toISOString()
          .replace('T', ' ')
          .replace(/\.?0*Z/, '')}+00`,
    );
    expect(texts.map(parseTimestamp)).toEqual(times);
  });
});

it('parses only timestamps differently', () => {
  expect(TYPES.getTypeParser(TIMESTAMPTZ)).toBe(parseTimestamp);
  expect(TYPES.getTypeParser(TIMESTAMPTZ, 'binary')).toBe(types.getTypeParser(TIMESTAMPTZ, 'binary'));
  expect(TYPES.getTypeParser(INT4)).toBe(types.getTypeParser(INT4));
});
