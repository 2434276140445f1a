/**
 * How many letters must be added, left out, replaced or exchanged with their neighbour to get from one text to the other (optimal
 * string alignment).
 *
 * @param most if the distance is greater, the result is infinite, and takes less time
 */
export function editDistance(from: string, to: string, most = Number.POSITIVE_INFINITY): number {
  let earlier: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isExchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isExchanged ? at(earlier, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    // No later row has a smaller number than the smallest in this one.
    if (Math.min(...current) > most) return Number.POSITIVE_INFINITY;
    earlier = last;
    last = current;
  }
  const distance = at(last, to.length);
  return distance > most ? Number.POSITIVE_INFINITY : distance;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
