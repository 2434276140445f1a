import { Button } from '../controls/button.tsx';
import { type Failure, failureOf } from './failure.ts';
import { isOutage } from './is-outage.ts';
import { refusalText } from './refusal-text.ts';
import { StateView } from './state-view.tsx';
import { statesTexts } from './states-texts.ts';

export interface FailureViewProps {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}

/** In the place of a content that could not be loaded. */
export function FailureView({ error, retry }: FailureViewProps): React.JSX.Element | null {
  const failure = failureOf(error, navigator.onLine);
  if (failure === undefined) return null;
  return (
    <StateView icon={ICONS[failure.kind]} title={textOf(failure)} alert>
      {retry !== undefined && <Button onClick={retry}>{statesTexts().retry}</Button>}
    </StateView>
  );
}

const ICONS = {
  offline: 'offline',
  unreachable: 'offline',
  busy: 'clock',
  read_only: 'lock',
  space_missing: 'lock',
  forbidden: 'lock',
  unauthorized: 'lock',
  updated: 'warning',
  failed: 'warning',
} as const;

function textOf(failure: Failure): string {
  return isOutage(failure) ? statesTexts()[failure.kind] : refusalText(failure);
}
