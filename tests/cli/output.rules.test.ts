import { expect, it } from '@jest/globals';
import { escaped } from '../../cli/output.js';

it('the command line shows control characters escaped: an earlier version took them in labels', () => {
  expect(escaped('bell\u0007 \u001b[2Jnew\nline \u009b')).toBe(String.raw`bell\u0007 \u001b[2Jnew\u000aline \u009b`);
});
