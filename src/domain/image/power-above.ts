/** The power of two above a number: 1 for 0 and 1, 2 for 2 and 3, … */
export function powerAbove(number: number): number {
  let power = 1;
  while (2 ** power <= number) power += 1;
  return power;
}
