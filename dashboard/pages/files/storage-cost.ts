const GIB = 2 ** 30;

/** Credits that stored bytes cost on a day: the price is for its month in UTC. @param price credits per GiB and month; null: none */
export function storagePerDay(price: string | null, storedBytes: string | number, day: Date): number {
  const daysInMonth = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  return (Number(price ?? 0) * Number(storedBytes)) / (GIB * daysInMonth);
}
