import { describe, expect, it } from '@jest/globals';
import { EVENT_LIMIT_MS, History, type Hearing } from './events.js';

/** What is said of a change that was answered at 10 s, if a watcher heard of it so. */
function said(hearing: Partial<Hearing> | undefined, trouble?: { begunAt: number; healedAt: number }): string[] {
  const history = new History();
  history.changes.push({ kind: 'group', name: 'it', begunAt: 9_900, answeredAt: 10_000 });
  if (trouble) history.troubles.push(trouble);
  const heard = new Map<string, Hearing>();
  if (hearing) heard.set('it', { at: 10_020, by: 'event', lostAt: 0, ...hearing });
  const lines = history.missedBy({ place: 'here', kind: 'group', heard });
  return lines.map((line) => line.replace('the watcher at here: it: ', ''));
}

describe('the events that a watcher missed', () => {
  it('are none when each change came as an event in time', () => {
    expect(said({})).toEqual([]);
  });

  it('are those that never came', () => {
    expect(said(undefined)).toEqual(['never heard']);
  });

  it('are those that came late', () => {
    expect(said({ at: 10_000 + EVENT_LIMIT_MS + 1 })).toEqual(['heard 5001 ms late']);
  });

  it('are late only after the repair of a fault that met them', () => {
    const trouble = { begunAt: 9_000, healedAt: 13_000 };
    expect(said({ at: 18_000 }, trouble)).toEqual([]);
    expect(said({ at: 18_001 }, trouble)).toEqual(['heard 5001 ms late']);
    expect(said({ at: 18_000 }, { begunAt: 12_000, healedAt: 13_000 })).toEqual(['heard 8000 ms late']);
  });

  it('are not hidden by the whole graph with which the next subscription begins', () => {
    expect(said({ by: 'begin', lostAt: 9_950 })).toEqual([]);
    expect(said({ by: 'begin', at: 13_000, lostAt: 12_000 })).toEqual([
      'heard only in the whole graph of the next subscription',
    ]);
  });

  it('are not hidden by a whole graph in the middle of a subscription, unless a fault met them', () => {
    expect(said({ by: 'middle' })).toEqual(['heard only in a whole graph, in the middle of a subscription']);
    expect(said({ by: 'middle' }, { begunAt: 9_000, healedAt: 9_950 })).toEqual([]);
  });

  it('are none where a change is taken back before it must be known, unless one of both was heard', () => {
    const saidOf = (backAt: number, heardOf: readonly string[]) => {
      const history = new History();
      history.changes.push({ kind: 'group', name: 'made', begunAt: 9_900, answeredAt: 10_000 });
      history.changes.push({ kind: 'group', name: 'deleted', undoes: 'made', begunAt: backAt, answeredAt: backAt });
      const hearing: Hearing = { at: 10_020, by: 'event', lostAt: 0 };
      return history.missedBy({ place: 'here', kind: 'group', heard: new Map(heardOf.map((name) => [name, hearing])) });
    };
    expect(saidOf(10_050, [])).toEqual([]);
    expect(saidOf(10_050, ['made'])).toEqual(['the watcher at here: deleted: never heard']);
    expect(saidOf(10_001 + EVENT_LIMIT_MS, [])).toHaveLength(2);
  });
});
