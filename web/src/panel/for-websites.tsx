import { useState } from 'react';
import { deviceStorage } from '../base/device-storage.ts';
import { Setting } from '../base/setting.ts';
import { useStore } from '../base/use-store.ts';
import { Icon } from '../controls/icon.tsx';
import { panelTexts } from './panel-texts.ts';

/** What only those need who show pictures elsewhere. Closed at first; how it was left is remembered. */
export function ForWebsites({ children }: { readonly children: React.ReactNode }): React.JSX.Element {
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
        <Icon name="chevron-down" />
      </summary>
      {children}
    </details>
  );
}
