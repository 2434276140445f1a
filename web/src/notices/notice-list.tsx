import { useRef } from 'react';
import { useStore } from '../base/use-store.ts';
import { Icon } from '../controls/icon.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { useLostFocus } from '../controls/use-lost-focus.ts';
import type { Notice } from './notices.ts';
import { noticesTexts } from './notices-texts.ts';
import { useNotices } from './use-notices.ts';
import { usePauseWhileInside } from './use-pause-while-inside.ts';
import './notices.css';

/** Short sentences at the edge of the page. A modal dialog needs a list of its own: it makes the rest of the page inert. */
export function NoticeList(): React.JSX.Element {
  const notices = useNotices();
  const shown = useStore(notices.shown);
  const list = useRef<HTMLElement>(null);
  usePauseWhileInside(list, notices);
  useLostFocus(list, (before) => {
    const place = list.current?.closest('dialog') ?? document.querySelector('main');
    (before?.isConnected === true ? before : place)?.focus();
  });
  return (
    <section ref={list} className="notices" aria-label={noticesTexts().label}>
      <ul className="notices-list" aria-live="polite" aria-relevant="additions">
        {shown.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} />
        ))}
      </ul>
    </section>
  );
}

function NoticeRow({ notice: { id, text, tone, action } }: { readonly notice: Notice }): React.JSX.Element {
  const notices = useNotices();
  return (
    <li className="notice floating" data-tone={tone}>
      {tone === 'error' && <Icon name="warning" />}
      <span className="notice-text">{text}</span>
      <span className="notice-buttons">
        {action !== undefined && (
          <button
            type="button"
            className="button notice-action"
            data-kind="quiet"
            onClick={() => notices.act(id)}
          >
            {action.label}
          </button>
        )}
        <IconButton icon="close" aria-label={noticesTexts().close} onClick={() => notices.close(id)} />
      </span>
    </li>
  );
}
