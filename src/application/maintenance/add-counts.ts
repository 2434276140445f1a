/** Adds the numbers of two reports. All else is that of the second one. */
export function addCounts<Report extends object>(first: Report, second: Report): Report {
  const before = new Map<string, unknown>(Object.entries(first));
  const added = Object.entries(second).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'number' ? Number(before.get(name)) + value : value,
  ]);
  return Object.fromEntries(added) as Report;
}
