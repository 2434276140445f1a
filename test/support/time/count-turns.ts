/** Counts turns of the event loop. */
export function countTurns(): { readonly end: () => number } {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  return {
    end: () => {
      clearImmediate(next);
      return turns;
    },
  };
}
