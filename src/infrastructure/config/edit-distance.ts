/**
 * How many letters must be added, left out, replaced or exchanged with their neighbour to get from one text to the other (optimal
 * string alignment). Takes time in proportion to the product of the lengths.
 */
export function editDistance(from: string, to: string): number {
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
    earlier = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
