import { describe, expect, it } from '@jest/globals';
import { Archipelago } from '../../../sdk/src/index.js';

/** Returns the id of a file. */
const idOf = (number: number): string => number.toString(16).padStart(64, '0');

/** Returns the files of an owner at a platform with these, and what removes some. */
function platformWith(numbers: readonly number[]) {
  let present = numbers;
  const row = (number: number) => ({
    path_hash: [...Buffer.from(idOf(number), 'hex')],
    relative_path: `${number}`,
    size_bytes: 1,
    updated_at: 1,
    revision_id: [],
    revision_seq: 1,
    encrypted_path: [],
    salted_hash: [],
  });
  const answer = async (url: unknown) => {
    const query = new URL(String(url)).searchParams;
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
    const files = present.slice(offset, offset + limit).map(row);
    const has_more = offset + limit < present.length;
    return Response.json({ Success: { files, has_more, total_count: present.length, offset, limit } });
  };
  const files = new Archipelago({ url: 'http://platform', fetch: answer }).files('owner');
  const change = (edit: (numbers: readonly number[]) => readonly number[]) => {
    present = edit(present);
  };
  return { files, change };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index * 2);

describe('the list of a folder', () => {
  it.each([0, 1, 999, 1000, 1001, 3500])('has each of %d files once', async (count) => {
    const { files } = platformWith(upTo(count));
    const listed = [];
    for await (const { fileId } of files.list('folder')) listed.push(fileId);
    expect(listed).toEqual(upTo(count).map(idOf));
  });

  it.each([
    ['one', (numbers: readonly number[]) => numbers.slice(1)],
    ['a page', (numbers: readonly number[]) => numbers.slice(1000)],
    ['all that it has listed and more', (numbers: readonly number[]) => numbers.slice(1500)],
    ['all', () => []],
  ])('misses no file when another device deletes files between two pages: %s', async (_, edit) => {
    const { files, change } = platformWith(upTo(3500));
    const listed: string[] = [];
    for await (const { fileId } of files.list('folder')) if (listed.push(fileId) === 1000) change(edit);
    const kept = edit(upTo(3500)).map(idOf);
    expect(listed).toEqual([...upTo(1000).map(idOf), ...kept.filter((id) => id > idOf(1998))]);
  });

  it('lists no file twice when another device adds files between two pages', async () => {
    const { files, change } = platformWith(upTo(2500));
    const listed: string[] = [];
    for await (const { fileId } of files.list('folder'))
      if (listed.push(fileId) === 1000) change((numbers) => [1, 3, ...numbers].toSorted((a, b) => a - b));
    expect(listed).toEqual(upTo(2500).map(idOf));
  });
});
