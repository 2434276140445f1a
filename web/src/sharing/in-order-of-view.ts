interface Positions {
  positionOf(id: number): number | undefined;
}

/** As in the view; those that it does not hold come last. */
export function inOrderOfView(ids: Iterable<number>, list: Positions | undefined): readonly number[] {
  const placeOf = (id: number): number => list?.positionOf(id) ?? Number.MAX_SAFE_INTEGER;
  return [...ids].sort((a, b) => placeOf(a) - placeOf(b));
}
