import { useEffect, useEffectEvent, useState } from 'react';

/** Most responses arrive sooner. After this time a list is worth more than its best order. */
const MOST_WAIT_MS = 1000;

interface Known<Option> {
  /** Everything known so far. */
  readonly options: readonly Option[];
  /** Whether responses that can add options have all arrived or failed. */
  readonly isComplete: boolean;
}

/**
 * Options that stay in place from the moment they are shown. The list waits until it is complete, but no longer than
 * `MOST_WAIT_MS`; options that become known later are added at its end.
 *
 * @param question what the options answer: another question begins a new list. `undefined` shows none.
 */
export function useSteadyOptions<Option>(
  question: string | undefined,
  { options, isComplete }: Known<Option>,
  keyOf: (option: Option) => string,
): readonly Option[] {
  const [shown, setShown] = useState<{ question: string; options: readonly Option[] }>();
  const before = shown !== undefined && shown.question === question ? shown.options : undefined;
  const awaited = before === undefined && !isComplete ? question : undefined;
  const show = useEffectEvent((asked: string) => setShown({ question: asked, options }));
  useEffect(() => {
    if (awaited === undefined) return undefined;
    const timer = setTimeout(() => show(awaited), MOST_WAIT_MS);
    return () => clearTimeout(timer);
  }, [awaited]);

  if (question === undefined) {
    if (shown !== undefined) setShown(undefined);
    return [];
  }
  if (awaited !== undefined) return [];
  const current = before === undefined ? options : addNew(before, options, keyOf);
  if (current !== before) setShown({ question, options: current });
  return current;
}

/** @returns `present` itself if nothing is new */
function addNew<Option>(
  present: readonly Option[],
  options: readonly Option[],
  keyOf: (option: Option) => string,
): readonly Option[] {
  const keys = new Set(present.map(keyOf));
  const added = options.filter((option) => !keys.has(keyOf(option)));
  return added.length === 0 ? present : [...present, ...added];
}
