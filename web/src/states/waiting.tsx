import { useWaited } from '../base/use-waited.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { type Failure, failureOf } from '../trouble/failure.ts';
import { troubleTexts } from '../trouble/trouble-texts.ts';
import { failureText } from './failure-text.ts';
import { statesTexts } from './states-texts.ts';
import './states.css';

export interface WaitingProps {
  /** Of the last attempt; nullish as long as none has failed. */
  readonly error?: unknown;
  /** In the place of the words for an error. */
  readonly sentence?: string | undefined;
  readonly retry?: (() => void) | undefined;
  /** Leads to where the person comes from. */
  readonly back?: (() => void) | undefined;
}

/**
 * In the place of a content that is not there yet, or could not be loaded: nothing for a moment, then a sign, words, and
 * at the end a way out.
 */
export function Waiting({ error, sentence, retry, back }: WaitingProps): React.JSX.Element {
  const failure = error === undefined || error === null ? undefined : failureOf(error, navigator.onLine);
  const problem = sentence ?? (failure && failureText(failure));
  const [waited, restart] = useWaited(problem === undefined);
  const again = (): void => {
    restart();
    retry?.();
  };
  return (
    <div className="state waiting" data-waited={problem === undefined ? waited : undefined}>
      {problem === undefined ? <span className="waiting-sign" /> : <Icon name={iconOf(failure)} />}
      {/* The live region is there before its text: screen readers announce only changes. */}
      <output className="waiting-words">{problem ?? WORDS[waited]?.()}</output>
      {(problem !== undefined || waited === 'end') && (
        <div className="state-buttons">
          {retry && <Button onClick={again}>{troubleTexts().retry}</Button>}
          {back && <Button onClick={back}>{statesTexts().leave}</Button>}
        </div>
      )}
    </div>
  );
}

const WORDS = {
  nothing: undefined,
  sign: undefined,
  words: () => statesTexts().stillLoading,
  end: () => statesTexts().slow,
} as const;

function iconOf(failure: Failure | undefined): 'offline' | 'clock' | 'lock' | 'warning' {
  switch (failure?.kind) {
    case 'offline':
    case 'unreachable':
      return 'offline';
    case 'busy':
    case 'storage':
      return 'clock';
    case 'read_only':
    case 'space_missing':
    case 'forbidden':
    case 'unauthorized':
      return 'lock';
    default:
      return 'warning';
  }
}
