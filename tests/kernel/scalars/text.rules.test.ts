import { describe, expect, it } from '@jest/globals';
import { checkLine, checkText, uuidOf } from '../../../kernel/scalars/text.js';

describe('a text', () => {
  it.each([
    ['', '`title` must not be blank.'],
    [' \n', '`title` must not be blank.'],
    ['abcd', '`title` must have at most 3 characters.'],
    ['a\0', '`title` must not contain U+0000 or an unpaired surrogate.'],
    ['abc', undefined],
  ])('%j is refused with what is wrong with it', (text, message) => {
    const checked = expect(() => checkText('title', text, 3));
    if (message === undefined) checked.not.toThrow();
    else checked.toThrow(message);
  });
});

describe('a name of one line', () => {
  it.each(['a', 'Über 数', '😀😀😀😀😀😀😀'])('%j is accepted', (name) => {
    expect(checkLine('name', name, 7)).toBe(name);
  });

  it.each(['', '12345678', 'a\nb', 'a\0', '\ud800', 'a\u202eb', 'a\u2067b'])('%j is refused', (name) => {
    expect(() => checkLine('name', name, 7)).toThrow('`name` must have 1 to 7 characters and no control characters.');
  });
});

describe('a uuid', () => {
  it.each([
    ['2F1E9B0C-5d1a-4c3b-8e7f-00112233AABB', '2f1e9b0c-5d1a-4c3b-8e7f-00112233aabb'],
    ['{2f1e9b0c-5d1a-4c3b-8e7f-00112233aabb}', null],
    ['2f1e9b0c5d1a4c3b8e7f00112233aabb', null],
    [undefined, null],
  ])('%j is read as %j', (text, uuid) => {
    expect(uuidOf(text)).toBe(uuid);
  });
});
