import { useEffect, useState } from 'react';

/** Whole seconds that are left; 0 when the time is over. For a component whose `key` is the time. */
export function useSecondsUntil(time: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (time === undefined) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [time]);
  return time === undefined ? 0 : Math.max(0, Math.ceil((time - now) / 1000));
}
