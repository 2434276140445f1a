import { useEffect, useEffectEvent, useState } from 'react';
import { useTrouble } from './use-trouble.ts';

/** To the next attempt, by the number of failures; none when a person asks for it. */
const DELAYS_MS = [0, 1000, 4000, 16_000];

export interface Attempts {
  /** From 0. Browsers do not load an address again in an element that has failed: an element has it for its `key`. */
  readonly number: number;
  /** The last attempt has failed, and the next one has not begun. */
  readonly isWaiting: boolean;
  /** Nothing more happens by itself until the service is back. */
  readonly isOver: boolean;
  readonly failed: () => void;
  readonly succeeded: () => void;
  /** It begins again, and all else that has failed on the page. */
  readonly again: () => void;
}

interface State {
  readonly number: number;
  readonly failures: number;
  readonly isWaiting: boolean;
}

const FIRST: State = { number: 0, failures: 0, isWaiting: false };

/**
 * What has failed is tried again after some time, and at once when the connection or the service is back.
 *
 * @param onBegin called before each attempt but the first
 */
export function useAttempts(onBegin: () => void): Attempts {
  const trouble = useTrouble();
  const [{ number, failures, isWaiting }, setState] = useState(FIRST);
  const delay = DELAYS_MS[failures];
  const begin = useEffectEvent((known: number) => {
    onBegin();
    setState({ number: number + 1, failures: known, isWaiting: false });
  });
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = delay === undefined ? undefined : setTimeout(() => begin(failures), delay);
    const end = trouble.again.subscribe(() => begin(0));
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [trouble, isWaiting, failures, delay]);
  return {
    number,
    isWaiting,
    isOver: isWaiting && delay === undefined,
    failed: () =>
      setState((state) =>
        state.isWaiting ? state : { ...state, failures: state.failures + 1, isWaiting: true },
      ),
    succeeded: () => setState((state) => (state.failures === 0 ? state : { ...FIRST, number: state.number })),
    again: () => {
      // It may hang.
      setState({ ...FIRST, number, isWaiting: true });
      trouble.tryAgain();
    },
  };
}
