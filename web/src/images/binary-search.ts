/** The index of the last item for which it holds, if it holds for the first items and for none behind them; else -1. */
export function lastIndexWhere<T>(items: ArrayLike<T>, holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
