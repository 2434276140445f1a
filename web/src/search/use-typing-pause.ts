import { useEffect, useEffectEvent, useState } from 'react';

export interface TypingPause {
  readonly type: (text: string) => void;
  /** What was typed is done with. */
  readonly cancel: () => void;
}

/** Calls `onPause` with what was typed when nothing more has been typed for a while. */
export function useTypingPause(ms: number, onPause: (text: string) => void): TypingPause {
  const [typed, setTyped] = useState<string>();
  const pause = useEffectEvent(onPause);
  useEffect(() => {
    if (typed === undefined) return undefined;
    const timer = setTimeout(() => pause(typed), ms);
    return () => clearTimeout(timer);
  }, [typed, ms]);
  return { type: setTyped, cancel: () => setTyped(undefined) };
}
