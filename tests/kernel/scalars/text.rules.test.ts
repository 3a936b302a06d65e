import { describe, expect, it } from '@jest/globals';
import { checkText } from '../../../kernel/scalars/text.js';

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
