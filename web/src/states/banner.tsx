import { useStore } from '../base/use-store.ts';
import { Button } from '../controls/button.tsx';
import { Icon, type IconName } from '../controls/icon.tsx';
import { useSession } from '../session/use-session.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { failureText } from './failure-text.ts';
import { problemText } from './problem-text.ts';
import { SignInButton } from './sign-in-button.tsx';
import { statesTexts } from './states-texts.ts';
import { useSecondsUntil } from './use-seconds-until.ts';
import './states.css';

/** What keeps the gallery from working now: at most one thing, the one that has to be solved first. */
export function Banner(): React.JSX.Element {
  // The live region is there before its text: screen readers announce only changes.
  return <output>{useBanner()}</output>;
}

function useBanner(): React.JSX.Element | null {
  const session = useSession();
  const trouble = useTrouble();
  const state = useStore(session.state);
  const waiting = useStore(session.renewal.waiting);
  const outage = useStore(trouble.outage);
  const isUpdated = useStore(trouble.updated);
  if (state.kind === 'ended') return <Ended text={state.problem && problemText(state.problem)} />;
  if (isUpdated && outage === undefined) return <Updated />;
  if (outage?.kind === 'offline') return <Line icon="offline" text={statesTexts().offline} />;
  if (waiting !== undefined) {
    return (
      <Line icon="offline" text={statesTexts().provider}>
        <Retry key={waiting.retryAt} retryAt={waiting.retryAt} retry={session.renewal.wake} />
      </Line>
    );
  }
  if (outage === undefined) return null;
  const { kind, requestId, retryAt } = outage;
  return (
    <Line
      icon={kind === 'busy' ? 'clock' : 'offline'}
      text={failureText({ kind, requestId, retryAfterMs: undefined })}
    >
      <Retry key={retryAt} retryAt={retryAt} retry={() => trouble.retryNow()} />
    </Line>
  );
}

function Ended({ text = statesTexts().ended }: { readonly text?: string | undefined }): React.JSX.Element {
  return (
    <Line icon="lock" text={text}>
      <SignInButton />
    </Line>
  );
}

/** The address stays, and with it the view. */
function Updated(): React.JSX.Element {
  return (
    <Line icon="info" text={statesTexts().updated}>
      <Button data-kind="primary" onClick={() => location.reload()}>
        {statesTexts().reload}
      </Button>
    </Line>
  );
}

interface LineProps {
  readonly icon: IconName;
  readonly text: string;
  readonly children?: React.ReactNode;
}

function Line({ icon, text, children }: LineProps): React.JSX.Element {
  return (
    <div className="banner floating">
      <Icon name={icon} />
      <p className="banner-text">{text}</p>
      {children}
    </div>
  );
}

interface RetryProps {
  readonly retryAt: number | undefined;
  readonly retry: () => void;
}

/** The count is not announced: it changes every second. */
function Retry({ retryAt, retry }: RetryProps): React.JSX.Element {
  const seconds = useSecondsUntil(retryAt);
  return (
    <>
      <span className="banner-count" aria-hidden="true">
        {seconds > 0 ? statesTexts().retryIn(seconds) : statesTexts().retrying}
      </span>
      <Button data-kind="quiet" onClick={retry}>
        {statesTexts().retryNow}
      </Button>
    </>
  );
}
