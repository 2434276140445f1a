import { createPortal } from 'react-dom';
import { Icon } from '../controls/icon.tsx';
import { troubleTexts } from './trouble-texts.ts';
import type { Attempts } from './use-attempts.ts';
import './retry-sign.css';

interface RetrySignProps {
  readonly attempts: Attempts;
  /** Of the picture. */
  readonly name: string;
  /** Around the picture, which may be in a link or an option: these have no controls inside. */
  readonly layer: HTMLElement | null;
  readonly style?: React.CSSProperties;
}

/** In the middle of a picture that could not be loaded, when nothing more happens by itself. */
export function RetrySign({ attempts, name, layer, style }: RetrySignProps): React.ReactPortal | null {
  if (!attempts.isOver || layer === null) return null;
  return createPortal(
    <button
      type="button"
      className="retry-sign"
      aria-label={troubleTexts().retryNamed(name)}
      title={troubleTexts().retry}
      style={style}
      onClick={attempts.again}
    >
      <Icon name="retry" />
    </button>,
    layer,
  );
}
