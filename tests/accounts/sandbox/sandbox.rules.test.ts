import { describe, expect, it } from '@jest/globals';
import { mergeMetadata, parseForm } from '../../../subgraphs/accounts/sandbox/form.rules.js';
import { periodEnd, prorated } from '../../../subgraphs/accounts/sandbox/objects/period.rules.js';
import { html } from '../../../subgraphs/accounts/sandbox/pages/html.rules.js';

const at = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000;
const MONTHLY = { interval: 'month', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' };

describe('a form with brackets', () => {
  it.each([
    ['a=1&b[c]=2&b[d][e]=3', { a: '1', b: { c: '2', d: { e: '3' } } }],
    ['types[0]=x&types[1]=y', { types: { 0: 'x', 1: 'y' } }],
    ['types[]=x&types[]=y', { types: { 0: 'x', 1: 'y' } }],
    ['a%5Bb%5D=%26', { a: { b: '&' } }],
  ])('%s is unfolded', (text, form) => {
    expect(JSON.parse(JSON.stringify(parseForm(text)))).toEqual(form);
  });

  it('has no names that mean more than themselves', () => {
    parseForm('__proto__[polluted]=1&constructor[prototype][polluted]=1');
    expect({}).not.toHaveProperty('polluted');
  });

  it('adds to metadata, and an empty value removes', () => {
    expect(mergeMetadata({ a: '1', b: '2' }, parseForm('metadata[a]=&metadata[c]=3'))).toEqual({ b: '2', c: '3' });
  });
});

describe('a period of a month', () => {
  it.each([
    ['2026-01-15', 15, '2026-02-15'],
    ['2026-01-31', 31, '2026-02-28'],
    ['2026-02-28', 31, '2026-03-31'],
    ['2028-01-31', 31, '2028-02-29'],
    ['2026-12-31', 31, '2027-01-31'],
  ])('that starts on %s with the anchor %i ends on %s', (start, anchor, end) => {
    expect(periodEnd(at(start), MONTHLY as never, anchor)).toBe(at(end));
  });

  it.each([
    ['2026-04-01', 3_000],
    ['2026-04-16', 1_500],
    ['2026-05-01', 0],
    ['2026-06-01', 0],
  ])('is prorated on %s to %i of 3000 cents', (day, cents) => {
    expect(prorated(3_000, { start: at('2026-04-01'), end: at('2026-05-01') }, at(day))).toBe(cents);
  });
});

describe('HTML', () => {
  it('escapes every value and no piece of its own', () => {
    expect(html`<p title="${`"'><&\``}">${html`<b>${'<i>'}</b>`}</p>`.text).toBe(
      '<p title="&#34;&#39;&#62;&#60;&#38;&#96;"><b>&#60;i&#62;</b></p>',
    );
  });
});
