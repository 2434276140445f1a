import { Waiting } from '../states/waiting.tsx';
import { stageTexts } from './stage-texts.ts';

interface PictureWaitingProps {
  readonly hasFailed: boolean;
  readonly retry: () => void;
}

/** On the lower edge of a stage, whose preview stays in view. */
export function PictureWaiting({ hasFailed, retry }: PictureWaitingProps): React.JSX.Element {
  return (
    <div className="picture-waiting">
      <Waiting sentence={hasFailed ? stageTexts().failed : undefined} retry={retry} />
    </div>
  );
}
