import { useState } from 'react';
import { deviceStorage } from '../base/device-storage.ts';
import { Setting } from '../base/setting.ts';
import { useStore } from '../base/use-store.ts';
import { Icon } from '../controls/icon.tsx';
import { publishingTexts } from '../publishing/publishing-texts.ts';
import { usePublishedNames } from '../publishing/use-published-names.ts';
import { useRights } from '../session/use-rights.ts';
import { panelTexts } from './panel-texts.ts';

interface ForWebsitesProps {
  readonly id: number;
  readonly children: React.ReactNode;
}

/** What only those need who show pictures elsewhere. Closed at first; how it was left is remembered. */
export function ForWebsites({ id, children }: ForWebsitesProps): React.JSX.Element {
  const [setting] = useState(() => new Setting('for-websites', ['closed', 'open'], deviceStorage()));
  const isOpen = useStore(setting.value) === 'open';
  return (
    <details
      className="panel-section panel-websites"
      open={isOpen}
      onToggle={({ currentTarget }) => setting.choose(currentTarget.open ? 'open' : 'closed')}
    >
      <summary className="panel-summary">
        <h3>{panelTexts().websites}</h3>
        <PublicMark id={id} />
        <Icon name="chevron-down" />
      </summary>
      {children}
    </details>
  );
}

/** For people who may publish. */
function PublicMark({ id }: Pick<ForWebsitesProps, 'id'>): React.JSX.Element | null {
  const rights = useRights();
  const isPublic = useStore(usePublishedNames().ids).has(id);
  if (!rights.seePublished || !isPublic) return null;
  return (
    <span className="publishing-mark">
      <Icon name="globe" />
      {publishingTexts().mark}
    </span>
  );
}
