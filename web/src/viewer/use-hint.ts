import { useEffect, useState } from 'react';

const HINT_MS = 2000;

/** A sentence that goes away by itself, or with the next picture. */
export function useHint(id: number): readonly [string | undefined, (text: string) => void] {
  const [hint, setHint] = useState<{ readonly id: number; readonly text: string }>();
  useEffect(() => {
    if (hint === undefined) return undefined;
    const timer = setTimeout(() => setHint(undefined), HINT_MS);
    return () => clearTimeout(timer);
  }, [hint]);
  return [hint?.id === id ? hint.text : undefined, (text) => setHint({ id, text })];
}
