/** Takes the parts of the state that it reads, and returns the parts that it writes. */
type Step = (state: never) => unknown;

type Written<Ran extends Step> =
  Awaited<ReturnType<Ran>> extends infer Parts extends object ? Parts : unknown;

/** The state after the steps. `never` if a step reads what neither the start nor an earlier step has written. */
type After<Known, Steps extends readonly Step[]> = Steps extends readonly [
  infer First extends Step,
  ...infer Rest extends Step[],
]
  ? Known extends Parameters<First>[0]
    ? After<Known & Written<First>, Rest>
    : never
  : Known;

/** Lists for which `After` is `never` do not compile. */
type Ordered<Start, Steps extends readonly Step[]> = [After<Start, Steps>] extends [never] ? never : unknown;

/** Runs the steps in their order, up to one that throws. */
export async function runSteps<Start extends object, const Steps extends readonly Step[]>(
  start: Start,
  steps: Steps & Ordered<Start, Steps>,
): Promise<After<Start, Steps>> {
  const state = { ...start };
  for (const step of steps) Object.assign(state, await step(state as never));
  return state as After<Start, Steps>;
}
