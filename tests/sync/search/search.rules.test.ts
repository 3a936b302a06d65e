import { describe, expect, it } from '@jest/globals';
import { readBrowseOrder, readDirectory } from '../../../subgraphs/sync/search/browse.rules.js';
import { readCursor, writeCursor } from '../../../subgraphs/sync/search/cursor.rules.js';
import {
  CATEGORIES,
  hasTrigram,
  likePattern,
  readBound,
  readFileType,
  readOrder,
  readText,
} from '../../../subgraphs/sync/search/search.rules.js';
import { extensionOf, foldCase, searchedName } from '../../../subgraphs/sync/files/index/searched-name.rules.js';
import { readPage } from '../../../subgraphs/sync/inputs/page.rules.js';

describe('case', () => {
  it.each([
    ['ÜBER', 'über'],
    ['u\u0308ber', 'über'],
    ['STRASSE', 'Straße'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['ПРИВЕТ', 'привет'],
    ['ǅ', 'ǆ'],
    ['ﬁle', 'FILE'],
    ['İ', 'i\u0307'],
  ])('is the same in %s and %s', (one, other) => {
    expect(foldCase(one)).toBe(foldCase(other));
  });

  it.each(['a', 'ß', 'ς', 'İ', 'ﬁ', '😀', 'u\u0308', ''])('stays as it is once it is folded: %s', (text) => {
    expect(foldCase(foldCase(text))).toBe(foldCase(text));
  });
});

describe('an extension', () => {
  it.each([
    ['a.png', '.png'],
    ['a.tar.gz', '.gz'],
    ['.gitignore', '.gitignore'],
    ['noext', null],
    ['dot.', null],
    ['docs.d/file', null],
    [`a.${'x'.repeat(65)}`, null],
    ['', null],
  ])('of "%s" is %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });

  it('is looked for in the path where there is no name', () => {
    expect(searchedName(null, 'docs/A.PNG')).toEqual({ foldedName: 'docs/a.png', extension: '.png' });
    expect(searchedName('B.txt', 'docs/A.PNG')).toEqual({ foldedName: 'b.txt', extension: '.txt' });
    expect(searchedName(null, null)).toEqual({ foldedName: null, extension: null });
  });
});

describe('a file type', () => {
  it('is one of seven categories', () => {
    expect(CATEGORIES).toEqual(['image', 'video', 'audio', 'document', 'pdf', 'archive', 'code']);
  });

  it('is an extension or an ending', () => {
    expect(readFileType('.PNG')).toEqual({ extensions: ['.png'] });
    expect(readFileType('.tar.GZ')).toEqual({ ending: '.tar.gz' });
    expect(readFileType('pdf')).toEqual({ extensions: ['.pdf'] });
  });

  it.each([null, undefined, ''])('is none when it is %j', (given) => {
    expect(readFileType(given)).toBeUndefined();
  });

  it.each([
    'other',
    'constructor',
    '__proto__',
    'png',
    '.',
    '..',
    'a.png',
    '.a b',
    '.%',
    '._%\\',
    `.${'x'.repeat(33)}`,
  ])('is refused as "%s"', (given) => {
    expect(() => readFileType(given)).toThrow(
      expect.objectContaining({ extensions: expect.objectContaining({ reason: 'invalid_file_type' }) }),
    );
  });
});

describe('a bound', () => {
  it.each([
    ['5', 'min', '5'],
    ['5.0', 'min', '5'],
    ['5.1', 'min', '6'],
    ['5.9', 'max', '5'],
    ['-5.1', 'min', '-5'],
    ['-5.1', 'max', '-6'],
    ['-0.5', 'min', '0'],
    ['-0.5', 'max', '-1'],
    ['99999999999999999999', 'max', '9223372036854775807'],
    ['-99999999999999999999', 'min', '-9223372036854775807'],
  ] as const)('of %s at %s is %s', (given, side, bound) => {
    expect(readBound(given, side)).toBe(bound);
  });
});

describe('a search text', () => {
  it('has its wildcards taken for themselves', () => {
    expect(likePattern('50%_\\', 'anywhere')).toBe('%50\\%\\_\\\\%');
    expect(likePattern('.c', 'end')).toBe('%.c');
  });

  it.each([
    ['ab', false],
    ['abc', true],
    ['a.b.c', false],
    ['ü1üab', false],
    ['x123', true],
  ])('"%s" has a trigram: %p', (text, has) => {
    expect(hasTrigram(text)).toBe(has);
  });

  it('has at most 256 characters, however many bytes', () => {
    expect(readText('😀'.repeat(256))).toHaveLength(512);
    expect(() => readText('😀'.repeat(257))).toThrow('256');
  });
});

describe('an order', () => {
  it.each([
    [undefined, undefined, { column: 'created_at', descending: true }],
    ['size_bytes', 'ASC', { column: 'size_bytes', descending: false }],
    ['toString', 'up', { column: 'created_at', descending: true }],
    ['SIZE_BYTES', null, { column: 'created_at', descending: true }],
  ])('%s %s is %j', (by, direction, order) => {
    expect(readOrder(by, direction)).toEqual(order);
  });

  it('of a directory is by name unless it is known', () => {
    expect(readBrowseOrder('extension', 'Desc')).toEqual({ column: 'extension', descending: true });
    expect(readBrowseOrder('toString', undefined)).toEqual({ column: 'file_name', descending: false });
  });
});

describe('a page', () => {
  it('is cut at its cap', () => {
    expect(readPage(undefined, undefined)).toEqual({ offset: 0, limit: 25 });
    expect(readPage(3, 10_001)).toEqual({ offset: 3, limit: 10_000 });
    expect(readPage(0, 0)).toEqual({ offset: 0, limit: 0 });
  });

  it.each([
    [-1, 1],
    [0, -1],
  ])('is refused at %i, %i', (offset, limit) => {
    expect(() => readPage(offset, limit)).toThrow();
  });
});

describe('a cursor', () => {
  const order = { column: 'size_bytes', descending: true } as const;
  const fileId = 'ab'.repeat(32);
  const text = writeCursor(order, { sortValue: '7', fileId, rowId: '42' });

  it('is read as it was written', () => {
    expect(readCursor(order, text)).toEqual({ sortValue: '7', pathHash: fileId, rowId: '42' });
  });

  it.each(['9223372036854775807', '1000000000000000000'])('may be at a size of %s', (sortValue) => {
    expect(readCursor(order, writeCursor(order, { sortValue, fileId, rowId: '1' }))).toMatchObject({ sortValue });
  });

  it('holds names of all letters', () => {
    const byName = { column: 'file_name', descending: false } as const;
    const sortValue = '😀 "quoted" \u0000';
    expect(readCursor(byName, writeCursor(byName, { sortValue: 'ü', fileId, rowId: '1' }))?.sortValue).toBe('ü');
    expect(() => readCursor(byName, writeCursor(byName, { sortValue, fileId, rowId: '1' }))).toThrow();
  });

  it('is refused in another order and when it is forged', () => {
    expect(() => readCursor({ ...order, descending: false }, text)).toThrow();
    expect(() => readCursor(order, writeCursor(order, { sortValue: '1; x', fileId, rowId: '1' }))).toThrow();
    expect(() => readCursor(order, writeCursor(order, { sortValue: '1', fileId: 'x', rowId: '1' }))).toThrow();
    expect(() => readCursor(order, '%%%')).toThrow();
  });
});

describe('a directory', () => {
  it.each([
    ['/docs/', 'docs'],
    ['docs/a', 'docs/a'],
    ['///', ''],
    [null, ''],
  ])('%j is "%s"', (given, path) => {
    expect(readDirectory(given)).toBe(path);
  });

  it.each(['..', 'a/../b', '/..', '..\\', '\\'])('is refused as "%s"', (given) => {
    expect(() => readDirectory(given)).toThrow();
  });
});
