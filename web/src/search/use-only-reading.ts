import { useEffect, useEffectEvent } from 'react';
import { useImageList } from '../images/use-image-list.ts';
import type { Suggestion } from './suggestions.ts';

/**
 * Calls `take` with the only thing that words can mean as soon as it is known that no picture has them.
 *
 * @param isEntered words that are still typed may be the beginning of others
 */
export function useOnlyReading(
  isEntered: boolean,
  options: readonly Suggestion[],
  take: (reading: Suggestion) => void,
): void {
  const list = useImageList();
  const hasNone = isEntered && list?.contents !== undefined && list.count === 0;
  const reading = hasNone && options.length === 1 ? options[0] : undefined;
  const onReading = useEffectEvent(take);
  useEffect(() => {
    if (reading !== undefined) onReading(reading);
  }, [reading]);
}
