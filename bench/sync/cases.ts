import type { Search } from '../../subgraphs/sync/search/search.actions.js';
import { readFileType, readText } from '../../subgraphs/sync/search/search.rules.js';

/** A named search. */
export interface Case {
  readonly name: string;
  readonly search: Search;
}

/** Search parameters of the API. */
interface SearchParameters extends Partial<Omit<Search, 'type'>> {
  readonly type?: string;
}

const DAY = 86_400;
const MIDDLE = 1_600_000_000;
const NEWEST = { column: 'created_at', descending: true } as const;

function search(ownerAddress: string, parameters: Partial<Search>): Search {
  return {
    ownerAddress,
    text: undefined,
    type: undefined,
    sizeMin: undefined,
    sizeMax: undefined,
    createdFrom: undefined,
    createdTo: undefined,
    order: NEWEST,
    offset: 0,
    limit: 25,
    after: undefined,
    ...parameters,
  };
}

/** Returns searches whose text, filters and orders have different costs. */
export function casesOf(ownerAddress: string): Case[] {
  const days = { createdFrom: `${MIDDLE}`, createdTo: `${MIDDLE + 3 * DAY}` };
  const parameters: Readonly<Record<string, SearchParameters>> = {
    'everything, newest first': {},
    'everything, by name': { order: { column: 'file_name', descending: false } },
    'everything, largest first': { order: { column: 'size_bytes', descending: true } },
    'everything, last changed first': { order: { column: 'updated_at', descending: true } },
    'everything, page 20,000': { offset: 500_000 },
    'everything, 10,000 a page': { limit: 10_000 },
    'rare word': { text: 'zanzibar' },
    'rare word, by name': { text: 'zanzibar', order: { column: 'file_name', descending: true } },
    'no such word': { text: 'quagmire' },
    'common word': { text: 'lagos 2017' },
    'common word, by size': { text: 'lagos 2017', order: { column: 'size_bytes', descending: false } },
    'word of some': { text: 'report' },
    'word of many': { text: 'img_' },
    'word of many, by name': { text: 'img_', order: { column: 'file_name', descending: false } },
    'word of many, page 4,000': { text: 'img_', offset: 100_000 },
    'two letters of many': { text: 'an' },
    'two letters of few': { text: 'zz' },
    'two letters of few, by name': { text: 'q2', order: { column: 'file_name', descending: false } },
    'one letter': { text: 'e' },
    'one letter of few': { text: '会' },
    'type of many': { type: 'image' },
    'type of some': { type: '.zip' },
    'type of few': { type: '.odt' },
    'two-part type': { type: '.tar.gz' },
    'few sizes': { sizeMin: '5000000', sizeMax: '5010000' },
    'many sizes': { sizeMin: '5000' },
    'few days': days,
    'few days, by size': { ...days, order: { column: 'size_bytes', descending: true } },
    'many days': { createdFrom: `${MIDDLE}` },
    'word, type, sizes and days': { text: 'report', type: 'pdf', sizeMin: '1000', createdFrom: `${MIDDLE}` },
    'two letters, type and days': { text: 'an', type: 'code', ...days },
  };
  return Object.entries(parameters).map(([name, { text, type, ...rest }]) => ({
    name,
    search: search(ownerAddress, { ...rest, text: readText(text), type: readFileType(type) }),
  }));
}
