import { useRef } from 'react';
import { Icon, type IconName } from '../controls/icon.tsx';

interface PanelActionProps {
  readonly icon: IconName;
  readonly label: string;
  readonly hint?: string;
  /** Not called again before it has ended. */
  readonly onClick: () => Promise<void>;
}

/** A row of the panel that does something. */
export function PanelAction({ icon, label, hint, onClick }: PanelActionProps): React.JSX.Element {
  const isUnderWay = useRef(false);
  return (
    <button
      type="button"
      className="panel-action"
      onClick={() => {
        if (isUnderWay.current) return;
        isUnderWay.current = true;
        void onClick().finally(() => {
          isUnderWay.current = false;
        });
      }}
    >
      <Icon name={icon} />
      <span className="panel-row-text">
        <span>{label}</span>
        {hint !== undefined && <span className="panel-secondary">{hint}</span>}
      </span>
    </button>
  );
}
