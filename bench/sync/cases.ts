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
    'everything, page 20,000': { offset: 500_000 },
    'rare word': { text: 'zanzibar' },
    'common word': { text: 'lagos 2017' },
    'word of many': { text: 'img_' },
    'two letters of many': { text: 'an' },
    'one letter': { text: 'e' },
    'type of many': { type: 'image' },
    'many sizes': { sizeMin: '5000' },
    'few days': days,
    'word, type, sizes and days': { text: 'report', type: 'pdf', sizeMin: '1000', createdFrom: `${MIDDLE}` },
  };
  return Object.entries(parameters).map(([name, { text, type, ...rest }]) => ({
    name,
    search: search(ownerAddress, { ...rest, text: readText(text), type: readFileType(type) }),
  }));
}
