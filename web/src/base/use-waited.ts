import { useEffect, useState } from 'react';

/** What is to be shown to a person who waits. */
export type Waited = 'nothing' | 'sign' | 'words' | 'end';

/** Most contents are there before the first of these times (ms). */
const STEPS = {
  nothing: { ms: 300, next: 'sign' },
  sign: { ms: 3000 - 300, next: 'words' },
  words: { ms: 15_000 - 3000, next: 'end' },
} as const;

/** @returns how long is waited, and a function that begins again */
export function useWaited(isRunning: boolean): readonly [Waited, () => void] {
  const [waited, setWaited] = useState<Waited>('nothing');
  useEffect(() => {
    if (!isRunning || waited === 'end') return undefined;
    const { ms, next } = STEPS[waited];
    const timer = setTimeout(() => setWaited(next), ms);
    return () => clearTimeout(timer);
  }, [isRunning, waited]);
  return [waited, () => setWaited('nothing')];
}
