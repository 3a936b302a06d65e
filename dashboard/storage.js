import { bytes, line, listCard } from './lists.js';

const RECORDS = '{ usageRecords(pageSize: 10) { results { periodStart periodEnd storageBytes } } }';

/** The storage that was recorded for the account, the latest period first. */
export function storageCard(session) {
  return listCard(session, {
    title: 'Storage used',
    query: RECORDS,
    items: ({ usageRecords }) => usageRecords.results,
    line: ({ periodStart, periodEnd, storageBytes }) =>
      line(`${day(periodStart)} – ${day(periodEnd)}`, '', bytes(storageBytes)),
    empty: 'No storage has been recorded yet.',
  });
}

/** The summary of a user's profile: the storage of the latest period. */
export function storageSummary(usage) {
  return usage ? `${bytes(usage.storageBytes)} until ${day(usage.periodEnd)}` : 'none recorded yet';
}

function day(time) {
  return new Date(time).toLocaleDateString();
}
