import { describe, expect, it } from '@jest/globals';
import { isRelativePath } from '../../../subgraphs/sync/inputs/path.rules.js';
import { planRenames, type RenamableFile } from '../../../subgraphs/sync/files/rename/rename.rules.js';
import { checkRevision } from '../../../subgraphs/sync/files/file/revision.rules.js';

const hash = (letter: string) => Buffer.alloc(32, letter);
const file = (letter: string, revisionSeq = '1'): RenamableFile => ({
  id: letter,
  pathHash: hash(letter),
  revisionId: hash(`r${letter}`),
  revisionSeq,
});
const rename = (from: string, to: string, base = `r${from}`) => ({
  oldPathHash: hash(from),
  newPathHash: hash(to),
  baseRevisionId: hash(base),
});

describe('renames, one after the other', () => {
  it.each([
    ['a chain from its end', [rename('b', 'c'), rename('a', 'b')], ['b', 'a'], []],
    ['a chain from its beginning', [rename('a', 'b'), rename('b', 'c')], ['b'], ['target_exists']],
    ['a swap', [rename('a', 'b'), rename('b', 'a')], [], ['target_exists', 'target_exists']],
    ['the same twice', [rename('a', 'c'), rename('a', 'c')], ['a'], ['not_found']],
    ['two to one', [rename('a', 'c'), rename('b', 'c')], ['a'], ['target_exists']],
    ['to itself', [rename('a', 'a')], [], ['target_exists']],
    ['of nothing', [rename('x', 'c')], [], ['not_found']],
    ['of another revision', [rename('a', 'c', 'rb')], [], ['revision_mismatch']],
    ['on with a revision nobody told', [rename('a', 'c'), rename('c', 'd', 'ra')], ['a'], ['revision_mismatch']],
  ])('%s', (_, renames, ids, reasons) => {
    const { rows, failures } = planRenames([file('a'), file('b')], renames);
    expect([rows.map(({ id }) => id), failures.map(({ reason }) => reason)]).toEqual([ids, reasons]);
  });

  it('count one up', () => {
    const { successes } = planRenames([file('a', '9007199254740993')], [rename('a', 'b')]);
    expect(successes).toMatchObject([{ newRevisionSeq: '9007199254740994' }]);
  });

  it('fail where they cannot count', () => {
    const { rows, failures } = planRenames([file('a', '18446744073709551615')], [rename('a', 'b')]);
    expect([rows, failures]).toMatchObject([[], [{ reason: 'database_error' }]]);
  });
});

describe('a relative path', () => {
  it.each(['a', 'a/b', 'a b/ü.txt', '..a', 'a..', '...', '%2e', 'x'.repeat(4096)])('is "%s"', (path) => {
    expect(isRelativePath(path)).toBe(true);
  });

  it.each(['', '/', '/a', 'a/', 'a//b', '.', '..', 'a/../b', 'a/./b', 'a\\b', 'a\0b', '\ud800', 'ü'.repeat(2049)])(
    'is not "%s"',
    (path) => {
      expect(isRelativePath(path)).toBe(false);
    },
  );
});

describe('a revision', () => {
  const present = { revisionId: hash('r'), revisionSeq: '5' };
  const base = present.revisionId;

  it('follows the present one', () => {
    expect(() => checkRevision({ baseRevisionId: base, revisionSeq: '6' }, present, 'conflict')).not.toThrow();
    expect(() => checkRevision({ baseRevisionId: null, revisionSeq: '0' }, undefined, 'conflict')).not.toThrow();
    expect(() => checkRevision({}, present, 'conflict')).not.toThrow();
  });

  it.each([
    ['null', null],
    ['another', hash('x')],
    ['shorter', Buffer.alloc(0)],
  ])('is refused with a base that is %s', (_, baseRevisionId) => {
    expect(() => checkRevision({ baseRevisionId, revisionSeq: '6' }, present, 'upload_conflict')).toThrow(
      expect.objectContaining({
        extensions: expect.objectContaining({
          reason: 'upload_conflict',
          current_revision_id: [...base],
          current_revision_seq: 5,
        }),
      }),
    );
  });

  it.each(['5', '4', '0'])('is stale with the sequence %s', (revisionSeq) => {
    expect(() => checkRevision({ baseRevisionId: base, revisionSeq }, present, 'conflict')).toThrow(
      expect.objectContaining({ extensions: expect.objectContaining({ reason: 'stale_sequence' }) }),
    );
  });

  it('is compared beyond what a double holds', () => {
    const large = { revisionId: base, revisionSeq: '9007199254740993' };
    expect(() => checkRevision({ baseRevisionId: base, revisionSeq: '9007199254740992' }, large, 'conflict')).toThrow();
    expect(() =>
      checkRevision({ baseRevisionId: base, revisionSeq: '9007199254740994' }, large, 'conflict'),
    ).not.toThrow();
  });
});
