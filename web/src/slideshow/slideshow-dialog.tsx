import { useRef, useState } from 'react';
import { useStore } from '../base/use-store.ts';
import { altOf, spokenName } from '../catalog/picture-name.ts';
import { useModal } from '../dialogs/use-modal.ts';
import { NoticeList } from '../notices/notice-list.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { BarButton } from '../stage/bar-button.tsx';
import { stageTexts } from '../stage/stage-texts.ts';
import { useChrome } from '../stage/use-chrome.ts';
import { Banner } from '../states/banner.tsx';
import { Waiting } from '../states/waiting.tsx';
import type { Slide, Slideshow, SlideshowState } from './slideshow.ts';
import { slideshowTexts } from './slideshow-texts.ts';
import { useFullScreen } from './use-full-screen.ts';
import { useSlideshow } from './use-slideshow.ts';
import { useWakeLock } from './use-wake-lock.ts';

interface SlideshowDialogProps {
  readonly seed: string;
  readonly onClose: () => void;
}

/** One picture after another over the whole screen. */
export function SlideshowDialog({ seed, onClose }: SlideshowDialogProps): React.JSX.Element {
  const dialog = useModal();
  const screen = useRef<HTMLDivElement>(null);
  const show = useSlideshow(seed);
  const state = useStore(show.state);
  const chrome = useChrome(dialog);
  useFullScreen(screen, onClose);
  useWakeLock(state.isPlaying);
  useShortcut('Space', () => show.togglePlaying(), { within: dialog });
  useShortcut('ArrowRight', () => show.step(1), { within: dialog });
  useShortcut('ArrowLeft', () => show.step(-1), { within: dialog });
  useShortcut('Escape', onClose, { within: dialog });
  return (
    <dialog
      ref={dialog}
      className="slideshow"
      data-theme="dark"
      tabIndex={-1}
      aria-label={slideshowTexts().title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div ref={screen} className="slideshow-screen" data-bare={!chrome.isVisible || undefined}>
        <Slides slide={state.slide} />
        {state.slide === undefined && (
          <Waiting sentence={state.end && END[state.end]()} retry={() => show.start()} back={onClose} />
        )}
        <Controls show={show} state={state} onClose={onClose} />
        <Banner />
        <NoticeList />
      </div>
    </dialog>
  );
}

/** The picture fades in over the one before. */
function Slides({ slide }: { readonly slide: Slide | undefined }): React.JSX.Element {
  const [shown, setShown] = useState<readonly Slide[]>([]);
  const last = shown.at(-1);
  if (slide !== undefined && slide !== last) setShown(last === undefined ? [slide] : [last, slide]);
  return (
    <>
      {shown.map((one, index) => (
        <img
          key={`${one.record.id} ${one.src}`}
          className="slideshow-picture"
          src={one.src}
          alt={index === shown.length - 1 ? altOf(one.record) : ''}
          draggable={false}
        />
      ))}
    </>
  );
}

const END = { empty: () => slideshowTexts().empty, failed: () => stageTexts().failed } as const;

interface ControlsProps {
  readonly show: Slideshow;
  readonly state: SlideshowState;
  readonly onClose: () => void;
}

function Controls({ show, state, onClose }: ControlsProps): React.JSX.Element {
  const { isPlaying, slide } = state;
  return (
    <>
      <div className="slideshow-close" data-fades>
        <BarButton icon="close" label={slideshowTexts().close} keys="Escape" onClick={onClose} />
      </div>
      <div className="slideshow-controls" data-fades>
        <BarButton
          icon="chevron-left"
          label={stageTexts().previous}
          keys="ArrowLeft"
          onClick={() => show.step(-1)}
        />
        <BarButton
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? slideshowTexts().pause : slideshowTexts().play}
          keys="Space"
          onClick={() => show.togglePlaying()}
        />
        <BarButton
          icon="chevron-right"
          label={stageTexts().next}
          keys="ArrowRight"
          onClick={() => show.step(1)}
        />
      </div>
      {/* Not every five seconds: only when the person goes from one to the other. */}
      <output className="visually-hidden">
        {isPlaying || slide === undefined ? '' : spokenName(slide.record)}
      </output>
    </>
  );
}
